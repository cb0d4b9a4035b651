"""Alerts from outside: set, listed, fired once, told over a server that is killed between firing and telling (F-5)."""
import json
import sqlite3
import subprocess
import unittest
from pathlib import Path

from harness import PROGRAM, SignedIn


class Alerts(SignedIn):
    def answer(self, *arguments):
        done = self.causeway(*arguments)
        self.assertEqual(done.returncode, 0, done)
        return json.loads(done.stdout)

    def watch(self, *options):
        watch = subprocess.Popen(
            [str(PROGRAM), "alert", "watch", *options, "--json"], env=self.environment, stdout=subprocess.PIPE, text=True)
        self.addCleanup(watch.communicate)
        self.addCleanup(watch.kill)
        return watch

    def kept(self):
        """Firings in the server's own file, read beside it."""
        path = next(Path(self.server_home.name).rglob("accounts.sqlite"))
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
        try:
            return database.execute("SELECT number, symbol FROM firing ORDER BY number").fetchall()
        finally:
            database.close()

    def test_an_alert_is_set_listed_and_removed(self):
        cases = {
            ("above", "100000"): ("above", "100000"), ("bid", "below", "0.5"): ("bid-below", "0.5"), ("up", "50%"): ("up", "50"),
            ("volume", "20000M"): ("volume", "20000000000"),
        }
        for words, (condition, value) in cases.items():
            alert = self.answer("alert", "add", "700", *words, "--repeat")["alert"]
            self.assertEqual((alert["symbol"], alert["condition"], alert["value"]), ("700.HK", condition, value))
            self.assertEqual((alert["repeats"], alert["state"]), (True, "armed"))
        alerts = self.answer("alert", "list")["alerts"]
        self.assertEqual(len(alerts), len(cases))
        for language, word in {"en": "last at or above 100,000", "zh-Hans": "现价达到或高于 100,000", "zh-Hant": "現價達到或高於 100,000"}.items():
            self.assertIn(word, self.causeway("alert", "list", "--language", language, form=None).stdout)
        for alert in alerts:
            self.assertEqual(self.answer("alert", "remove", str(alert["id"])), {"removed": alert["id"]})
        self.assertEqual(self.answer("alert", "list")["alerts"], [])
        gone = self.causeway("alert", "remove", str(alerts[0]["id"]))
        self.assertEqual(json.loads(gone.stdout)["error"]["code"], "alert.unknown")

    def test_bad_conditions_are_usage_errors(self):
        for words in (["sideways", "5"], ["above", "0"], ["above", "-5"], ["above", "5%"], ["volume", "M"], ["bid", "5"], ["up", "x"]):
            with self.subTest(words):
                done = self.causeway("alert", "add", "700.HK", *words)
                self.assertEqual(done.returncode, 2, done)
                self.assertTrue(json.loads(done.stdout)["error"]["code"].startswith("usage."), done)

    def test_killed_between_firing_and_telling_it_is_told_once(self):
        alert = self.answer("alert", "add", "700.HK", "above", "1")["alert"]
        while not self.kept():
            pass
        port = self.server.port
        self.server.kill()
        self.start(port)
        firing = json.loads(self.watch("--count", "1").communicate(timeout=60)[0])["firing"]
        self.assertEqual((firing["number"], firing["alert"], firing["symbol"]), (1, alert["id"], "700.HK"))
        self.assertEqual(self.answer("alert", "list")["alerts"], [])
        # Noted: another watch begins with what comes after it.
        self.answer("alert", "add", "700.HK", "below", "100000")
        second = json.loads(self.watch("--count", "1").communicate(timeout=60)[0])["firing"]
        self.assertEqual(second["number"], 2)
        self.assertEqual([number for number, _ in self.kept()], [1, 2])

    def test_a_watch_goes_on_over_a_restart_of_the_server(self):
        watch = self.watch()
        self.answer("alert", "add", "700.HK", "above", "1")
        self.assertEqual(json.loads(watch.stdout.readline())["firing"]["number"], 1)
        port = self.server.port
        self.server.kill()
        self.assertEqual(json.loads(watch.stdout.readline()), {"event": "reconnecting"})
        self.start(port)
        self.answer("alert", "add", "700.HK", "below", "100000")
        lines = [json.loads(watch.stdout.readline()) for _ in range(2)]
        self.assertEqual(lines[0], {"event": "connected"})
        self.assertEqual(lines[1]["firing"]["number"], 2)


if __name__ == "__main__":
    unittest.main()
