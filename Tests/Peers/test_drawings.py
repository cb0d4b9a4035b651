"""Drawings by command (G-5): kept with the profile, with and without a server, and shown by the chart."""
import json
import os
import re
import unittest
from pathlib import Path

from harness import SignedIn


class Drawings(SignedIn):
    def draw(self, *arguments):
        ran = self.causeway("draw", *arguments)
        return json.loads(ran.stdout or ran.stderr), ran.returncode

    def chart(self, *options):
        path = f"{self.home.name}/chart.svg"
        ran = self.causeway("chart", "700.HK", "-o", path, *options, form=None)
        self.assertEqual(ran.returncode, 0, ran)
        return Path(path).read_text(), ran.stderr

    def test_drawn_listed_shown_and_removed(self):
        plain, _ = self.chart()
        made, status = self.draw("add", "700", "fibonacci", "2026-10-12,350", "2026-11-16,580.4")
        self.assertEqual((status, made["symbol"], made["drawing"]["id"]), (0, "700.HK", 1))
        self.assertEqual(self.draw("add", "700.HK", "text", "2026-11-02,360", "--text", "支撑 <here>")[1], 0)
        self.assertEqual(self.draw("add", "700.HK", "horizontal", "365.123456789")[1], 0)
        listed, _ = self.draw("list", "700")
        self.assertEqual([each["tool"] for each in listed["drawings"]], ["fibonacci", "text", "horizontal"])
        self.assertEqual(listed["drawings"][2]["anchors"][0]["price"], "365.123456789")
        self.assertEqual(self.draw("list", "AAPL.US")[0]["drawings"], [])
        shown, told = self.chart()
        for words in ("61.8%", "支撑 &lt;here&gt;", "365.123456789"):
            self.assertFalse(words in plain, words)
            self.assertTrue(words in shown, words)
        self.assertEqual(told, "")
        self.assertTrue(self.chart("--no-drawings")[0] == plain)
        # The day by the minute: the level, where it is in view, and what was drawn on another day is not.
        day = float(json.loads(self.causeway("quote", "700.HK").stdout)["quotes"][0]["previousClose"]) + 0.123
        self.assertEqual(self.draw("add", "700.HK", "horizontal", f"{day:.3f}")[1], 0)
        minutes, told = self.chart("--period", "intraday")
        self.assertTrue(f"{day:.3f}" in minutes and "支撑" not in minutes and told == "")
        self.assertFalse(f"{day:.3f}" in self.chart("--period", "intraday", "--no-drawings")[0])
        adjusted, told = self.chart("--adjust", "forward")
        self.assertTrue(("61.8%" in adjusted) != ("Without drawings" in told))
        self.assertEqual(self.draw("remove", "700", "2")[1], 0)
        self.assertEqual(self.draw("remove", "700", "2")[0]["error"]["code"], "drawing.unknown")
        self.assertFalse("&lt;here&gt;" in self.chart()[0])

    def test_without_a_server_and_with_a_damaged_file(self):
        self.assertEqual(self.draw("add", "700", "ray", "2026-10-12,350", "2026-11-16,380")[1], 0)
        folder = f"{self.home.name}/.local/state/causeway/main/drawings"
        file = next(name for name in os.listdir(folder) if re.fullmatch(r"\d+\.json", name))
        os.truncate(f"{folder}/{file}", 40)
        _, told = self.chart()
        self.assertEqual(told.count("\n"), 1)
        self.assertIn(f"{folder}/{file}.damaged-1", told)
        self.assertEqual(self.chart()[1], "")
        Path(f"{folder}/{file}").write_text('{"format":2}')
        self.assertIn("newer version", self.chart()[1])
        self.assertEqual(self.draw("add", "700", "horizontal", "1")[0]["error"]["code"], "data.newer")
        os.remove(f"{folder}/{file}")
        self.server.stop()
        self.assertEqual(self.draw("add", "700", "horizontal", "350")[1], 0)
        self.assertEqual(len(self.draw("list", "700.HK")[0]["drawings"]), 1)
        # Nobody is signed in any more, whatever the server could be told.
        self.causeway("sign-out")
        self.assertEqual(len(self.draw("list", "700.HK")[0]["drawings"]), 1)


if __name__ == "__main__":
    unittest.main()
