"""`causeway run` without a terminal and on one, and how `serve` ends, from outside."""
import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from pathlib import Path

from harness import OPEN, PROGRAM, run


def folders(root):
    names = {"CONFIG": "config", "DATA": "data", "STATE": "state", "CACHE": "cache"}
    return {**os.environ, **{f"XDG_{name}_HOME": f"{root}/{folder}" for name, folder in names.items()}}


class RunAgain(unittest.TestCase):
    def test_a_second_run_over_the_same_folders_trades_too(self):
        """D-4, A-8: a trading session kept from the first run has ended with that sign-in; the second run logs in anew."""
        with tempfile.TemporaryDirectory(prefix="causeway-peer-") as root:
            environment = folders(root)
            for number in range(2):
                ended = run("run", environment=environment)
                self.assertEqual(ended.returncode, 0, ended.stderr)
                self.assertIn("700.HK", ended.stdout)
                # the day begins anew in a new folder, so that no order is dated after now; the old folder stays and is named.
                kept = f"{root}/data/causeway/main/run-1"
                self.assertEqual(f"causeway serve --data {kept}" in ended.stdout, number == 1)
                self.assertEqual(os.path.isdir(kept + "/journal"), number == 1)
                self.assertEqual(ended.stdout.count("2026-11-30 10:0"), 1, ended.stdout)


class Board(unittest.TestCase):
    def test_what_is_chosen_with_a_key_is_there_at_the_next_start(self):  # M-2
        with tempfile.TemporaryDirectory(prefix="causeway-peer-") as root:
            environment = {**folders(root), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
            for name in ("LC_ALL", "LC_MESSAGES", "NO_COLOR"):
                environment.pop(name, None)
            choices = Path(root, "config/causeway/main/board.json")
            self.board(environment, [("Positions", "L"), ("持仓", "C"), (lambda: "colours" in choices.read_text(), "q")])
            self.assertEqual(json.loads(choices.read_text()), {"language": "zh-Hans", "colours": "red-up"})
            self.board(environment, [("持仓", "q")])
            # What the command line asks for wins, and is not kept.
            self.board(environment, [("持倉", "q")], "--language", "zh-Hant")
            self.assertEqual(json.loads(choices.read_text())["language"], "zh-Hans")

    def board(self, environment, steps, *arguments):
        """Presses a key when that is shown, or holds, one after the other."""
        child, terminal = pty.fork()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execve(str(PROGRAM), [str(PROGRAM), "run", *arguments], environment)
        said, deadline = "", time.monotonic() + 120
        while time.monotonic() < deadline and select.select([terminal], [], [], 60)[0]:
            try:
                piece = os.read(terminal, 65536).decode(errors="replace")
            except OSError:  # The other end is closed.
                break
            said += piece
            if steps and (steps[0][0]() if callable(steps[0][0]) else steps[0][0] in said):
                os.write(terminal, steps.pop(0)[1].encode())
                said = ""
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(terminal)
        self.assertEqual((status, steps), (0, []), said[-2000:])


class Ending(unittest.TestCase):
    def serve(self, root, *options):
        return subprocess.Popen(
            [str(PROGRAM), "serve", "--port", "0", "--at", OPEN, *options], env=folders(root), stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)

    def test_a_server_says_that_it_ends_and_that_it_has(self):
        for options, lines in [((), ["Stopping: what is under way is finished first", "Stopped"]),
                               (("--json",), ['{"event":"stopping"}', '{"event":"stopped"}'])]:
            with tempfile.TemporaryDirectory(prefix="causeway-peer-") as root, self.serve(root, "--language", "en", *options) as server:
                self.assertIn("listening", server.stdout.readline())
                server.send_signal(signal.SIGINT)
                said = server.stdout.read().splitlines()
                self.assertEqual((said[-2:], server.wait(timeout=30)), (lines, 0), said)

    def test_a_server_ends_as_well_where_nobody_reads_it(self):
        with tempfile.TemporaryDirectory(prefix="causeway-peer-") as root, self.serve(root) as server:
            server.stdout.readline()
            server.stdout.readline()
            server.stdout.close()
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(timeout=30), 0)


if __name__ == "__main__":
    unittest.main()
