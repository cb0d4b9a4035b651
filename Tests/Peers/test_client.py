"""The client's commands from outside: folders by HOME, live lines over a restart of the server, exit status, sign-out without a server."""
import json
from pathlib import Path
import os
import subprocess
import tempfile
import unittest

from harness import OPEN, PASSWORD, PROGRAM, Program, SignedIn, SignedInTogether, clean_environment, run


class ClientOfOneServer(SignedInTogether):
    def test_the_folders_are_below_home(self):
        for folder, file in {".config": "passphrase", ".local/state": "session.sealed"}.items():
            self.assertTrue(os.path.exists(f"{self.home.name}/{folder}/causeway/main/{file}"), file)

    def test_what_is_recorded_can_be_served(self):
        folder = self.home.name + "/recording"
        recorded = self.causeway("record", "700.HK", "HSI2612", "--out", folder, "--for", "4s")
        self.assertEqual(recorded.returncode, 0, recorded)
        counts = json.loads(recorded.stdout)
        self.assertGreater(counts["events"], 4)
        self.assertEqual(counts["events"], sum(counts[kind] for kind in ("quotes", "books", "trades", "phases")))
        again = self.causeway("record", "700.HK", "--out", folder, "--for", "1s")
        self.assertEqual(json.loads(again.stdout or again.stderr)["error"]["code"], "recording.exists")
        with tempfile.TemporaryDirectory(prefix="causeway-peer-") as home:
            with Program("serve", "--port", "0", "--recording", folder, home=home) as program:
                url = f"http://127.0.0.1:{program.port}"
                signed = self.causeway("sign-in", "--register", "--name", "again", "--server", url, text=PASSWORD)
                self.assertEqual(signed.returncode, 0, signed)
                listed = json.loads(self.causeway("symbols", "list").stdout)
                self.assertEqual([each["symbol"] for each in listed["symbols"]], ["700.HK", "HSI2612.HKFE"])
                self.assertIn("AAPL.US", listed["withoutPrices"])
                self.assertIn("Not in this server's feed", self.causeway("quote", "AAPL.US", form=None).stdout)

    def test_bars_and_charts_are_adjusted_on_request(self):  # G-2
        """Three dividends of 2.65 since 2012-08-09; before it forward prices are 7.95 lower, after all of them backward ones higher."""
        def bars(*options):
            ran = self.causeway("bars", "AAPL.US", "--count", "200", *options)
            self.assertEqual(ran.returncode, 0, ran)
            return json.loads(ran.stdout)

        printed, forward, backward = bars(), bars("--adjust", "forward"), bars("--adjust", "backward")
        self.assertEqual(printed["adjustment"], {"kind": "none", "actions": 0, "from": None, "to": None})
        self.assertEqual(forward["adjustment"], {"kind": "forward", "actions": 3, "from": "2007-02-05", "to": "2013-03-01"})
        for kind, batch, ends in (("forward", forward, (795, 0)), ("backward", backward, (0, -795))):
            self.assertEqual({bar["adjustment"] for bar in batch["bars"]}, {kind})
            for place, difference in zip((0, -1), ends):
                cents = [round(float(each["bars"][place]["close"]) * 100) for each in (printed, batch)]
                self.assertEqual(cents[0] - cents[1], difference)
        none = json.loads(self.causeway("bars", "HSI.INDX", "--adjust", "forward").stdout)
        self.assertEqual(none["adjustment"]["kind"], "none")
        words = self.causeway("bars", "HSI.INDX", "--adjust", "forward", form=None).stdout.splitlines()
        self.assertEqual(words[1], "Not adjusted: no splits or dividends of it are known")
        self.assertEqual(self.causeway("bars", "AAPL.US", "--adjust", "sideways").returncode, 2)
        picture = f"{self.home.name}/apple.svg"
        drawn = self.causeway("chart", "AAPL.US", "--adjust", "backward", "-o", picture)
        self.assertEqual(drawn.returncode, 0, drawn)
        self.assertIn("Adjusted backward", Path(picture).read_text())


class ClientOfOthers(unittest.TestCase):
    def test_a_feed_that_does_not_run_is_told(self):  # B-8
        """Paused from the start; then, on a folder of its own, from the last recorded price on."""
        client = tempfile.TemporaryDirectory(prefix="causeway-peer-")
        self.addCleanup(client.cleanup)
        environment = clean_environment(client.name)

        def causeway(*arguments, form="--json", **options):
            return run(*arguments, *([form] if form else []), environment=environment, **options)

        self.assertEqual(causeway("passphrase").returncode, 0)
        for at, options, status, words in (
            (OPEN, ("--speed", "0"), "paused", "Market time stands still since 2026-11-30 10:00 HKT: prices do not move"),
            ("2026-12-01T04:59:59+08:00", ("--speed", "60"), "ended", "The last price of the replay came at"),
        ):
            with tempfile.TemporaryDirectory(prefix="causeway-peer-") as home:
                with Program("serve", "--port", "0", "--at", at, *options, home=home) as server:
                    url = f"http://127.0.0.1:{server.port}"
                    signed = causeway("sign-in", "--register", "--name", status, "--server", url, text=PASSWORD)
                    self.assertEqual(signed.returncode, 0, signed)
                    watch = subprocess.Popen(
                        [str(PROGRAM), "watch", "700.HK", "--json"], stdout=subprocess.PIPE, text=True, env=environment)
                    for line in watch.stdout:
                        told = json.loads(line)
                        if told.get("event") == "feed": break
                    watch.terminate()
                    watch.wait(timeout=10)
                    watch.stdout.close()
                    self.assertEqual(told["feed"]["status"], status)
                    self.assertEqual(json.loads(causeway("quote", "700.HK").stdout)["feed"], told["feed"])
                    self.assertIn(words, causeway("quote", "700.HK", form=None).stdout.splitlines()[-1])
                    self.assertIn(words, causeway("book", "700.HK", form=None).stdout.splitlines()[-1])


class Client(SignedIn):
    def test_watch_says_that_the_server_goes_and_comes_back(self):
        for options in (["--json"], []):
            with self.subTest(options):
                command = [str(PROGRAM), "watch", "700.HK", *options]
                watch = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                try:
                    (self.json if options else self.human)(watch)
                finally:
                    watch.kill()
                    watch.communicate()

    def test_watch_ends_when_the_user_signed_out_elsewhere(self):
        watch = subprocess.Popen(
            [str(PROGRAM), "watch", "700.HK", "--json"], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(watch.communicate)
        self.addCleanup(watch.kill)
        self.assertIn("700.HK", watch.stdout.readline())
        self.assertEqual(self.causeway("sign-out").returncode, 0)
        port = self.server.port
        self.server.kill()
        self.start(port)
        # It cannot come back: not dialled for ever, but ended by what the server says of the credential.
        last = watch.communicate(timeout=60)[0].splitlines()[-1]
        self.assertTrue(json.loads(last)["error"]["code"].startswith("auth."), last)
        self.assertEqual(watch.returncode, 3)

    def kill_and_start(self, news):
        port = self.server.port
        self.server.kill()
        self.assertEqual(news(), "reconnecting")
        # Market time goes on from where it was: nothing is said of it.
        self.start(port)
        self.assertEqual(news(), "connected")

    def json(self, watch):
        def line():
            return json.loads(watch.stdout.readline())

        def news():
            while "event" not in (found := line()):
                pass
            return found["event"]

        self.assertEqual(line()["symbol"], "700.HK")
        self.kill_and_start(news)
        self.assertEqual(line()["symbol"], "700.HK")

    def human(self, watch):
        said = {
            "causeway: Connection to the quote server lost. Reconnecting\n": "reconnecting",
            "causeway: Connected again. Prices as of the times shown\n": "connected",
        }
        self.assertIn("700.HK", watch.stdout.readline())
        self.kill_and_start(lambda: said.get(watch.stderr.readline()))

    def test_without_a_server_nothing_is_unknown_for_who_only_asks(self):
        self.server.kill()
        for command in (["quote", "700.HK"], ["whoami"], ["positions"], ["order", "list"]):
            with self.subTest(command):
                self.assertEqual(self.causeway(*command).returncode, 6)

    def test_sign_out_says_that_the_server_was_not_told(self):
        self.server.kill()
        done = self.causeway("sign-out")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(lines[0], {"signedOut": True, "told": False})
        self.assertTrue(lines[1]["error"]["code"].startswith("connection."), lines)
        self.assertEqual(done.returncode, 6)
        self.assertEqual(self.causeway("whoami").returncode, 3)


if __name__ == "__main__":
    unittest.main()
