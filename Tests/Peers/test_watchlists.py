"""Watchlists from outside: two devices of one account, one of them without a server for a while (F-3)."""
import json
import tempfile
import unittest

from harness import OPEN, PASSWORD, Program, clean_environment, run


class Watchlists(unittest.TestCase):
    def setUp(self):
        self.server_home = self.folder()
        self.start(0, "--at", OPEN)
        self.addCleanup(lambda: self.server.stop())
        self.desk, self.laptop = self.device("--register"), self.device()

    def folder(self):
        folder = tempfile.TemporaryDirectory(prefix="causeway-peer-")
        self.addCleanup(folder.cleanup)
        return folder

    def start(self, port, *options):
        self.server = Program("serve", "--port", str(port), *options, home=self.server_home.name)

    def device(self, *options):
        environment = clean_environment(self.folder().name)
        self.assertEqual(run("passphrase", "--json", environment=environment).returncode, 0)
        url = f"http://127.0.0.1:{self.server.port}"
        signed = run("sign-in", *options, "--name", "mei", "--server", url, "--json", environment=environment, text=PASSWORD)
        self.assertEqual(signed.returncode, 0, signed)
        return environment

    def lists(self, device, *arguments):
        done = run("watchlist", *arguments, "--json", environment=device)
        self.assertEqual(done.returncode, 0, done)
        answer = json.loads(done.stdout)
        groups = {group["name"]: [symbol["symbol"] for symbol in group["symbols"]] for group in answer["groups"]}
        return groups, answer["synced"]

    def test_two_devices_and_a_server_that_is_away(self):
        self.assertEqual(self.lists(self.desk, "add", "700", "AAPL.US"), ({"main": ["700.HK", "AAPL.US"]}, True))
        self.lists(self.laptop, "group", "add", "tech")
        self.assertEqual(self.lists(self.laptop, "pin", "AAPL"), ({"main": ["AAPL.US", "700.HK"], "tech": []}, True))
        port = self.server.port
        self.server.kill()
        self.assertEqual(self.lists(self.desk, "remove", "700"), ({"main": ["AAPL.US"]}, False))
        self.assertEqual(self.lists(self.laptop, "add", "MSFT.US", "--group", "tech")[0]["tech"], ["MSFT.US"])
        self.start(port)
        self.lists(self.desk, "list")
        both = ({"main": ["AAPL.US"], "tech": ["MSFT.US"]}, True)
        self.assertEqual(self.lists(self.laptop, "list"), both)
        self.assertEqual(self.lists(self.desk, "list"), both)
        gone = run("watchlist", "remove", "700", "--json", environment=self.desk)
        self.assertEqual(json.loads(gone.stdout)["error"]["code"], "watchlist.symbol.unknown")


if __name__ == "__main__":
    unittest.main()
