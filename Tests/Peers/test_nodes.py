"""Quote nodes behind one gateway, from the command line (B-11): the key's file, two nodes, one that goes, one with another key."""
import json
import os
import shutil
import stat
import subprocess
import tempfile
import unittest

from harness import OPEN, PASSWORD, PROGRAM, Program, clean_environment, run



class Nodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A gateway's folder and key, made once; each test has a copy."""
        made = tempfile.TemporaryDirectory(prefix="causeway-peer-")
        cls.addClassCleanup(made.cleanup)
        cls.made = made.name
        cls.made_key = cls.make_key(cls.made, "gateway")

    def setUp(self):
        self.folder = self.temporary() + "/copy"
        shutil.copytree(self.made, self.folder)
        self.key = f"{self.folder}/gateway.key"
        self.environment = clean_environment(self.temporary())

    def temporary(self):
        folder = tempfile.TemporaryDirectory(prefix="causeway-peer-")
        self.addCleanup(folder.cleanup)
        return folder.name

    @staticmethod
    def make_key(folder, name):
        """The key of a gateway with a folder of that name, which is stopped again."""
        key = f"{folder}/{name}.key"
        os.makedirs(f"{folder}/{name}", exist_ok=True)
        Program("serve", "--port", "0", "--at", OPEN, "--node-key", key, home=f"{folder}/{name}").stop()
        return key

    def node(self, key, port=0):
        node = Program("serve", "quotes", "--port", str(port), "--key", key, "--at", OPEN, home=self.temporary())
        self.addCleanup(node.kill)
        self.assertEqual(node.listening["service"], "quotes")
        return node

    def gateway(self, **nodes):
        told = ",".join(f"{market}=ws://127.0.0.1:{node.port}/quotes" for market, node in nodes.items())
        gateway = Program("serve", "--port", "0", "--quote-node", told, home=f"{self.folder}/gateway")
        self.addCleanup(gateway.stop)
        self.assertEqual(self.causeway("passphrase").returncode, 0)
        url = f"http://127.0.0.1:{gateway.port}"
        signed = self.causeway("sign-in", "--register", "--name", "mei", "--server", url, text=PASSWORD)
        self.assertEqual(signed.returncode, 0, signed)
        return gateway

    def causeway(self, *arguments, text=None):
        return run(*arguments, "--json", environment=self.environment, text=text)

    def error(self, done):
        return json.loads((done.stdout + done.stderr).splitlines()[-1])["error"]["code"]

    def test_a_node_goes_and_comes_back_while_the_other_goes_on(self):
        hong_kong, states = self.node(self.key), self.node(self.key)
        self.gateway(HK=hong_kong, US=states)
        watch = subprocess.Popen(
            [str(PROGRAM), "watch", "700.HK", "AAPL.US", "--json"], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        self.addCleanup(watch.communicate)
        self.addCleanup(watch.kill)

        def until(*wanted):
            """All of these have come, in whatever order: two nodes know nothing of each other, and a closed market speaks once."""
            missing = set(wanted)
            while missing:
                line = watch.stdout.readline()
                self.assertTrue(line, "watch ended")
                found = json.loads(line)
                missing -= {found.get("symbol"), found.get("event")}

        until("700.HK", "AAPL.US")
        port = states.port
        states.kill()
        until("reconnecting")
        for _ in range(3):
            until("700.HK")
        self.node(self.key, port)
        until("connected", "AAPL.US")
        until("700.HK")

    def test_quotes_of_both_and_a_ranking_of_one(self):
        self.gateway(HK=self.node(self.key), US=self.node(self.key))
        done = self.causeway("quote", "AAPL.US", "700.HK", "HSI.INDX")
        self.assertEqual([row["symbol"] for row in json.loads(done.stdout)["quotes"]], ["AAPL.US", "700.HK", "HSI.INDX"], done)
        self.assertEqual(self.error(self.causeway("rank", "gainers")), "node.several")
        self.assertEqual(self.causeway("rank", "gainers", "HK").returncode, 0)

    def test_a_node_with_another_key_is_told_clearly(self):
        self.gateway(US=self.node(self.make_key(self.folder, "other")))
        self.assertEqual(self.causeway("quote", "700.HK").returncode, 0)
        for command in (["quote", "AAPL.US"], ["watch", "700.HK", "AAPL.US"]):
            with self.subTest(command):
                done = self.causeway(*command)
                self.assertEqual((self.error(done), done.returncode), ("node.credential", 1), done)

    def test_the_key_is_for_its_owner_only(self):
        self.assertEqual(stat.S_IMODE(os.stat(self.made_key).st_mode), 0o600)
        os.chmod(self.key, 0o644)
        self.assertEqual(self.error(self.causeway("serve", "quotes", "--port", "0", "--key", self.key)), "node.key-open")
        self.assertEqual(self.error(self.causeway("serve", "quotes", "--port", "0", "--key", "/dev/null")), "node.key")

    def test_addresses_are_judged_before_anything_starts(self):
        for told, code in {
            "HK": "usage.argument-invalid",
            "HKK=ws://127.0.0.1:1/quotes": "usage.argument-invalid",
            "HK=http://127.0.0.1:1/quotes": "usage.argument-invalid",
            "HK=ws://10.0.0.1:1/quotes": "connection.insecure",
            "HK=ws://127.0.0.1:1/quotes,HK=ws://127.0.0.1:2/quotes": "node.twice",
        }.items():
            with self.subTest(told):
                self.assertEqual(self.error(self.causeway("serve", "--port", "0", "--quote-node", told)), code)
        refused = self.causeway("serve", "quotes", "--port", "0", "--host", "0.0.0.0", "--key", self.key)
        self.assertEqual(self.error(refused), "server.insecure")


if __name__ == "__main__":
    unittest.main()
