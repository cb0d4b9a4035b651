"""Adds to Tests/Fixtures/messages/v1.json an example of each message type it lacks. What is there is never changed: the examples are
what programs of version 1 wrote, and decode for ever (C-7). A field added later is in no example of its type; that is the point.

    .build/peers/bin/python Tests/Peers/freeze.py
"""
import json

from harness import ROOT
from message_text import example, names

PATH = ROOT / "Tests/Fixtures/messages/v1.json"


def main():
    kept = json.loads(PATH.read_text())["messages"] if PATH.exists() else []
    known = {each["name"] for each in kept}
    added = [example(name) for name in names() if f"causeway.v1.{name}" not in known]
    about = "One message of each type as Python's protobuf wrote it, and its fields. Kept for ever; Tests/Peers/freeze.py only adds."
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in kept + added)
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(f'{{"about": {json.dumps(about)},\n"messages": [\n{lines}\n]}}\n')
    print(f"kept {len(kept)}, added {len(added)}")


if __name__ == "__main__":
    main()
