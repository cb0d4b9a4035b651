"""Python's protobuf and our wire codec read each other's messages (C-1, C-7).

Seeded random messages are written by Python; `causeway-conformance` reads each, must see the same fields and must write the very bytes that
Python writes. Damaged copies must be refused where Python refuses them.
"""
import json
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

from harness import ROOT
from message_text import UNSIGNED, WIDE, F, fill, fixed, names, text as field_text
from messages import message

CONFORMANCE = Path(os.environ.get("CAUSEWAY_CONFORMANCE", ROOT / ".build/debug/causeway-conformance"))
SCHEMA = ROOT / "Tests/Fixtures/pb"
SEED = 20261130
CHARACTERS = "aZ09 .\"\\\n\u0000é腾讯\U0001f600"


def _tick():
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(["protoc", f"--proto_path={SCHEMA}", f"--descriptor_set_out={file.name}", "quote.proto"], check=True)
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read())
    pool = descriptor_pool.DescriptorPool()
    for each in files.file:
        pool.Add(each)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("t.Tick"))


TICK = _tick()


def signed(chance, bits):
    """Mostly near zero or near the bounds, where codecs go wrong."""
    bound = 1 << (bits - 1)
    return chance.choice([0, 1, -1, 127, 128, -bound, bound - 1, chance.randrange(-bound, bound), chance.randrange(-1000, 1000)])


def unsigned(chance, bits):
    return chance.choice([0, 1, 127, 128, (1 << bits) - 1, chance.randrange(1 << bits)])


def text(chance):
    return "".join(chance.choice(CHARACTERS) for _ in range(chance.choice([0, 1, 5, 130])))


def random_scalar(chance, field):
    if field.type == F.TYPE_STRING: return text(chance)
    if field.type == F.TYPE_BYTES: return chance.randbytes(chance.choice([0, 1, 127, 128, 300]))
    if field.type == F.TYPE_BOOL: return chance.random() < 0.5
    if field.type == F.TYPE_ENUM: return chance.choice([0, 1, 2, -1, 77, signed(chance, 32)])
    bits = 64 if field.type in WIDE else 32
    return unsigned(chance, bits) if field.type in UNSIGNED else signed(chance, bits)


def fill_level(chance, level):
    level.SetInParent()
    level.price_e4, level.size = signed(chance, 64), signed(chance, 64)


def random_tick(chance, tick, depth=0):
    def maybe():
        return chance.random() < 0.4

    if maybe(): tick.symbol = text(chance)
    if maybe(): tick.ts_ms = signed(chance, 64)
    if maybe(): tick.delta_e4 = signed(chance, 64)
    if maybe(): tick.flags = unsigned(chance, 32)
    if maybe(): tick.side = chance.choice([0, 1, 2, -1, 77, signed(chance, 32)])
    if maybe(): tick.levels.extend(signed(chance, 32) for _ in range(chance.randrange(20)))
    if maybe(): fill_level(chance, tick.best)
    if maybe(): tick.raw = chance.randbytes(chance.choice([0, 1, 127, 128, 300]))
    if maybe(): tick.last = chance.choice([0.0, -0.0, 0.1, 1e308, 5e-324, chance.uniform(-1e6, 1e6)])
    if maybe(): tick.seq = unsigned(chance, 64)
    if maybe(): tick.halted = chance.random() < 0.5
    if maybe(): tick.note = text(chance)
    elif maybe(): fill_level(chance, tick.book)
    if maybe():
        # One entry: the order of a map's entries on the wire is nobody's promise.
        tick.m[text(chance)] = signed(chance, 32)
    if depth < 3 and maybe():
        tick.inner.SetInParent()
        random_tick(chance, tick.inner, depth + 1)
    if maybe(): tick.opt = signed(chance, 32)
    if maybe():
        for _ in range(chance.randrange(4)): fill_level(chance, tick.depth.add())
    if maybe(): tick.sides.extend(chance.choice([0, 1, 2, -1]) for _ in range(chance.randrange(6)))
    if maybe(): tick.i32 = signed(chance, 32)
    return tick


def level_fields(level):
    return {name: str(value) for name, value in (("price_e4", level.price_e4), ("size", level.size)) if value}


def fields(tick):
    """A message in the layout of the vector files: 64-bit integers as text, bytes as {"$hex"}, what has its default left out."""
    body = tick.WhichOneof("body")
    all_fields = {
        "symbol": tick.symbol, "ts_ms": tick.ts_ms and str(tick.ts_ms), "delta_e4": tick.delta_e4 and str(tick.delta_e4),
        "flags": tick.flags, "side": tick.side, "levels": list(tick.levels), "raw": tick.raw and {"$hex": tick.raw.hex()},
        "seq": tick.seq and str(tick.seq), "halted": tick.halted, "m": dict(tick.m),
        "depth": [level_fields(each) for each in tick.depth], "sides": list(tick.sides), "i32": tick.i32,
    }
    found = {name: value for name, value in all_fields.items() if value}
    if tick.last or str(tick.last) == "-0.0": found["last"] = tick.last
    if tick.HasField("best"): found["best"] = level_fields(tick.best)
    if tick.HasField("inner"): found["inner"] = fields(tick.inner)
    if tick.HasField("opt"): found["opt"] = tick.opt
    if body == "note": found["note"] = tick.note
    if body == "book": found["book"] = level_fields(tick.book)
    return found


class Protobuf(unittest.TestCase):
    def conformance(self, cases):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"cases": cases}, file)
            file.flush()
            result = subprocess.run([str(CONFORMANCE), file.name], capture_output=True, text=True, timeout=60)
        lines = result.stdout.splitlines()
        failed = [line for line in lines if line.split(" ")[1:2] == ["fail"]]
        self.assertEqual((result.returncode, failed[:3]), (0, []), f"seed {SEED}")
        self.assertEqual(lines[-1], f"{len(cases)} passed, 0 failed, 0 skipped")

    def test_random_messages_are_read_and_written_alike(self):
        cases = []
        for index in range(2000):
            tick = random_tick(random.Random(SEED + index), TICK())
            wire = tick.SerializeToString(deterministic=True).hex()
            cases.append({"id": f"random-{index}", "message": "Tick", "hex": wire, "verdict": "accept", "expect": fields(tick),
                          "reserialized_hex_upb": wire})
        self.conformance(cases)

    def test_what_python_refuses_is_refused(self):
        cases = []
        for index in range(4000):
            chance = random.Random(SEED + index)
            wire = bytearray(random_tick(chance, TICK()).SerializeToString(deterministic=True))
            if not wire: continue
            if chance.random() < 0.5: wire[chance.randrange(len(wire))] = chance.randrange(256)
            else: del wire[chance.randrange(len(wire)):]
            try:
                TICK.FromString(bytes(wire))
            except DecodeError:
                cases.append({"id": f"damaged-{index}", "message": "Tick", "hex": wire.hex(), "verdict": "reject"})
        self.assertGreater(len(cases), 1000)
        self.conformance(cases)

    def test_every_message_type_is_read_and_written_alike(self):
        cases = []
        for name in names():
            for index in range(40):
                chance = random.Random(f"{SEED} {name} {index}")
                made = fill(message(name)(), lambda field: random_scalar(chance, field), wanted=lambda: chance.random() < 0.6)
                wire = made.SerializeToString(deterministic=True).hex()
                cases.append({"id": f"{name}-{index}", "message": f"causeway.v1.{name}", "hex": wire, "verdict": "accept",
                              "expect": field_text(made), "reserialized_hex_upb": wire})
        self.assertGreater(len(cases), 60 * 40)
        self.conformance(cases)

    def test_every_message_type_refuses_what_python_refuses(self):
        cases = []
        for name in names():
            whole = fill(message(name)(), fixed).SerializeToString(deterministic=True)
            for index in range(60):
                chance = random.Random(f"{SEED} {name} {index}")
                wire = bytearray(whole)
                if chance.random() < 0.5: wire[chance.randrange(len(wire))] = chance.randrange(256)
                else: del wire[chance.randrange(len(wire)):]
                try:
                    message(name).FromString(bytes(wire))
                except DecodeError:
                    cases.append({"id": f"damaged-{name}-{index}", "message": f"causeway.v1.{name}", "hex": wire.hex(), "verdict": "reject"})
        self.assertGreater(len(cases), 1000)
        self.conformance(cases)

    def test_every_message_type_has_a_frozen_example(self):
        frozen = json.loads((ROOT / "Tests/Fixtures/messages/v1.json").read_text())["messages"]
        self.assertEqual([each["name"] for each in frozen if not each["name"].startswith("causeway.v1.")], [])
        self.assertEqual(sorted(each["name"].split(".")[-1] for each in frozen), names(), "run Tests/Peers/freeze.py")
        for each in frozen:
            kept = message(each["name"].split(".")[-1]).FromString(bytes.fromhex(each["hex"]))
            self.assertEqual(field_text(kept), each["text"], each["name"])


if __name__ == "__main__":
    unittest.main()
