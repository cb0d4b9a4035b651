"""Starts the shipped program for a test and ends it by its own id; nothing here sleeps."""
import faulthandler
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

# A test that waits for what never comes says where, and ends, instead of holding up everything after it.
faulthandler.dump_traceback_later(20 * 60, exit=True)

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery\n"
OPEN = "2026-11-30T10:00:00+08:00"
PROGRAM = Path(os.environ.get("CAUSEWAY_PROGRAM", ROOT / ".build/debug/causeway"))


class Program:
    """A running `causeway …` that prints one JSON line {"listening": {...}} when it is ready."""

    def __init__(self, *arguments, home=None, before=None):
        self.home = home or tempfile.TemporaryDirectory(prefix="causeway-peer-")
        root = getattr(self.home, "name", self.home)
        self.environment = {
            **os.environ,
            "XDG_CONFIG_HOME": f"{root}/config",
            "XDG_DATA_HOME": f"{root}/data",
            "XDG_STATE_HOME": f"{root}/state",
            "XDG_CACHE_HOME": f"{root}/cache",
        }
        self.errors = open(f"{root}/stderr", "ab+")
        self.process = subprocess.Popen(
            [str(PROGRAM), *arguments, "--json"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, env=self.environment, preexec_fn=before)
        line = self.process.stdout.readline()
        if not line:
            self.process.wait(timeout=10)
            self.errors.seek(0)
            raise AssertionError(f"{arguments} ended with {self.process.returncode}: {self.errors.read().decode()}")
        self.listening = json.loads(line).get("listening")
        if not self.listening:
            self.kill()
            raise AssertionError(f"{arguments}: {line.decode()}")

    @property
    def port(self):
        return self.listening["port"]

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        finally:
            self.kill()
            if hasattr(self.home, "cleanup"):
                self.home.cleanup()

    def kill(self):
        """SIGKILL: nothing is said or written any more."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for file in (self.process.stdout, self.process.stdin, self.errors):
            file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def run(*arguments, environment=None, text=None, timeout=60):
    """Runs `causeway …` to its end."""
    return subprocess.run(
        [str(PROGRAM), *arguments], input=text, capture_output=True, text=True, timeout=timeout, env=environment or os.environ)


def clean_environment(home):
    """The caller's, without settings of the program, and with that home."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "CAUSEWAY_"))}
    return {**kept, "HOME": home}


class SignedIn(unittest.TestCase):
    """A server at 10:00 of the market date, and a client that registered there."""
    name = "mei"

    def setUp(self):
        self.start_server()
        self.home = tempfile.TemporaryDirectory(prefix="causeway-peer-")
        self.addCleanup(self.home.cleanup)
        self.environment = clean_environment(self.home.name)
        self.assertEqual(self.causeway("passphrase").returncode, 0)
        url = f"http://127.0.0.1:{self.server.port}"
        signed = self.causeway("sign-in", "--register", "--name", self.name, "--server", url, text=PASSWORD)
        self.assertEqual(signed.returncode, 0, signed)

    def start_server(self):
        self.server_home = tempfile.TemporaryDirectory(prefix="causeway-peer-")
        self.addCleanup(self.server_home.cleanup)
        self.start(0, "--at", OPEN)
        self.addCleanup(lambda: self.server.stop())

    def start(self, port=0, *options):
        self.server = Program("serve", "--port", str(port), *options, home=self.server_home.name)

    def causeway(self, *arguments, text=None, form="--json"):
        return run(*arguments, *([form] if form else []), environment=self.environment, text=text)


class SignedInTogether(SignedIn):
    """One server for all tests of a class, none of which stops it; each registers by a name of its own."""
    accounts = 0

    @classmethod
    def setUpClass(cls):
        cls.server = Program("serve", "--port", "0", "--at", OPEN)
        cls.addClassCleanup(cls.server.stop)

    def start_server(self):
        type(self).accounts += 1
        self.name = f"mei-{self.accounts}"
