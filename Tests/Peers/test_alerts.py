"""Alerts from outside: set, listed, fired once, told over a server that is killed between firing and telling (F-5)."""
import json
import sqlite3
import subprocess
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

from harness import PROGRAM, SignedIn, SignedInTogether


def minute_after(stamp):
    """When the minute that began then was over, in UTC."""
    return (datetime.fromisoformat(stamp).astimezone(timezone.utc) + timedelta(minutes=1)).isoformat()[:19]


class Answers:
    def answer(self, *arguments):
        done = self.causeway(*arguments)
        self.assertEqual(done.returncode, 0, done)
        return json.loads(done.stdout)


class AlertsKept(Answers, SignedInTogether):
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

    def test_an_expression_is_set_listed_and_refused_with_the_place(self):
        text = "cross(EMA(CLOSE,12), EMA(CLOSE,26))"
        alert = self.answer("alert", "add", "700", "--when", text, "--period", "5m")["alert"]
        self.assertEqual((alert["condition"], alert["value"], alert["period"]), ("when", text, "5m"))
        self.assertIn(alert["state"], ("armed", "resting"))
        for language, words in {"en": f"{text} true at a bar's end (5 minutes)", "zh-Hans": f"{text} 收线时成立（5 分钟）"}.items():
            done = subprocess.run(
                [str(PROGRAM), "alert", "list", "--language", language], env={**self.environment, "COLUMNS": "200"},
                capture_output=True, text=True, timeout=60)
            self.assertIn(words, done.stdout)
        for expression, code, status in (
            ("CROSS(CLOSE,FOO)", "alert.formula", None), ("CLOSE>", "alert.formula", None),
            ("CLOSE>MA(CLOSE,9000)", "alert.formula-heavy", None), ("CLOSE>STD(C,1500)", "alert.formula-heavy", None),
        ):
            with self.subTest(expression):
                done = self.causeway("alert", "add", "700.HK", "--when", expression, "--period", "day")
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(json.loads(done.stdout)["error"]["code"], code, done)
        wrong = self.causeway("alert", "add", "700.HK", "--when", "CROSS(CLOSE,FOO)", "--period", "day", form=None)
        self.assertEqual(wrong.stderr, "causeway: CROSS(CLOSE,FOO): unknown name: FOO, at character 13\n")


class Alerts(Answers, SignedIn):
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

    def wait_until_kept(self, count):
        """Looked for again while the server runs, which it must: to look without a pause would take the server's own time."""
        while len(self.kept()) < count:
            with self.assertRaises(subprocess.TimeoutExpired):
                self.server.process.wait(timeout=0.05)

    def test_an_expression_fires_at_the_ends_of_the_bars_that_clients_see_over_a_kill(self):
        """Against the bars the server tells, judged here by themselves."""
        port = self.server.port
        self.server.kill()
        self.start(port, "--speed", "120")
        self.answer("alert", "add", "700.HK", "--when", "CLOSE > REF(CLOSE, 1)", "--period", "1m", "--repeat")
        self.wait_until_kept(2)
        self.server.kill()
        self.start(port, "--speed", "120")
        watch = self.watch("--count", "5")
        firings = [json.loads(line)["firing"] for line in watch.communicate(timeout=120)[0].splitlines()]
        self.assertEqual([firing["number"] for firing in firings], [1, 2, 3, 4, 5])
        bars = self.answer("bars", "700.HK", "--period", "1m", "--count", "400")["bars"]
        first, last = firings[0]["time"][:19], firings[-1]["time"][:19]
        expected, was_true = [], False
        for before, bar in zip(bars, bars[1:]):
            end, is_true = minute_after(bar["time"]), float(bar["close"]) > float(before["close"])
            if first <= end <= last and is_true and not was_true:
                expected.append((end, float(bar["close"])))
            was_true = is_true and end >= first
        self.assertEqual([(firing["time"][:19], float(firing["figure"])) for firing in firings], expected)

    def test_killed_between_firing_and_telling_it_is_told_once(self):
        alert = self.answer("alert", "add", "700.HK", "above", "1")["alert"]
        self.wait_until_kept(1)
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
