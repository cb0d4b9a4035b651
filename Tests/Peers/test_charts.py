"""Charts by command (G-4…G-6): several instruments in per cent, files of one's own, and what a picture never replaces."""
import json
import os
import re
import stat
import unittest
from pathlib import Path

from harness import SignedInTogether


class Charts(SignedInTogether):
    def chart(self, *arguments, name="chart.svg"):
        path = f"{self.home.name}/{name}"
        ran = self.causeway("chart", "-o", path, *arguments)
        return json.loads(ran.stdout or ran.stderr), ran.returncode, path

    def file(self, name, closes, day=1):
        path = f"{self.home.name}/{name}"
        rows = [f"2026-11-{day + number:02},{close},{close},{close},{close}" for number, close in enumerate(closes)]
        Path(path).write_text("date,open,high,low,close\n" + "\n".join(rows) + "\n")
        return path

    def test_several_in_per_cent(self):
        made, status, path = self.chart("700.HK", "--compare", "9988")
        self.assertEqual(status, 0, made)
        self.assertEqual([each["name"] for each in made["series"]], ["700.HK", "9988.HK"])
        words = re.findall(r">([^<>]+)</text>", Path(path).read_text())
        for each in made["series"]:
            told = float(each["percent"])
            shown = "0.00%" if told == 0 else f"{told:+.2f}%".replace("-", "−")
            self.assertIn(f"{each['name']} {shown}", words)
        # One base: the first day drawn, since which the bars of all go on; bars of the day tell the same.
        base = next(word[:10] for word in words if word.endswith(" = 0%"))
        self.assertTrue(any(f"since {base}: another recording before" in word for word in words), words)
        bars = json.loads(self.causeway("bars", "700.HK", "--count", "60").stdout)["bars"]
        section = [bar for bar in bars if bar["time"][:10] >= base]
        self.assertGreater(len(bars), len(section))
        self.assertEqual(len({bar["source"]["recordedOn"][:4] for bar in section}), 1)
        told = (float(section[-1]["close"]) / float(section[0]["close"]) - 1) * 100
        self.assertAlmostEqual(float(made["series"][0]["percent"]), told, delta=0.006)

        # One day in common since the newest recording of the first: New York was closed on the one before.
        made, status, path = self.chart("700.HK", "--compare", "AAPL.US", name="none.svg")
        self.assertEqual((status, made["error"]["code"], made["error"]["args"]["symbol"]), (1, "chart.nothing-common", "700.HK"))
        self.assertFalse(os.path.exists(path))

    def test_a_picture_and_a_program_are_told_the_same(self):
        for count in ["140", "17", "5"]:
            made, status, path = self.chart("MSFT.US", "--compare", "AAPL.US,IBM.US", "--count", count)
            self.assertEqual((status, made["bars"]), (0, int(count)), made)
            words = re.findall(r">([^<>]+)</text>", Path(path).read_text())
            told = [f"{float(each['percent']):+.2f}%".replace("-", "−") for each in made["series"]]
            self.assertEqual([word.split(" ")[1] for word in words if ".US " in word and "%" in word], told)
            bars = json.loads(self.causeway("bars", "MSFT.US", "--count", count).stdout)["bars"]
            change = (float(bars[-1]["close"]) / float(bars[0]["close"]) - 1) * 100
            self.assertAlmostEqual(float(made["series"][0]["percent"]), change, delta=0.006)

    def test_bars_beyond_all_calendars_are_refused(self):
        path = f"{self.home.name}/far.csv"
        Path(path).write_text("time,open,high,low,close,volume\n9999-12-31 10:00,1,1,1,1,5\n")
        made, status, picture = self.chart("700.HK", "--period", "intraday", "--input", path)
        self.assertEqual(status, 1, made)
        self.assertTrue(made["error"]["code"])
        self.assertFalse(os.path.exists(picture))

    def test_what_cannot_be_compared_is_refused(self):
        for arguments, code in [
            (["700.HK", "--compare", "700"], "usage.compared-twice"), (["700.HK", "--compare", ""], "usage.option-missing"),
            (["700.HK", "--compare", "NONE.HK"], "symbol.unknown"), (["700.HK", "--compare", "AAPL", "--log"], "usage.option-conflict"),
            (["700.HK", "--compare", "AAPL", "--period", "intraday"], "usage.option-conflict"),
            (["700.HK", "--compare", ",".join(f"A{n}" for n in range(9))], "usage.argument-many"),
        ]:
            made, status, path = self.chart(*arguments)
            self.assertNotEqual(status, 0, arguments)
            self.assertEqual(made["error"]["code"], code, arguments)
            self.assertFalse(os.path.exists(path))

    def test_files_of_ones_own_by_day(self):
        one, other = self.file("one.csv", [100, 110, 121]), self.file("other.csv", [50, 40], day=2)
        made, status, path = self.chart("--input", one, "--compare", other)
        self.assertEqual((status, made["bars"]), (0, 2), made)
        self.assertEqual([each["percent"] for each in made["series"]], ["10.00", "-20.00"])
        later = self.file("later.csv", [7, 8], day=3)
        made, status, _ = self.chart("--input", one, "--compare", later)
        self.assertEqual((status, made["error"]["code"]), (1, "chart.nothing-common"))
        self.assertEqual(made["error"]["args"]["symbol"], "later.csv")
        below = self.file("below.csv", [-37.6, 10])
        made, status, _ = self.chart("--input", one, "--compare", below)
        self.assertEqual((status, made["error"]["code"]), (1, "chart.no-percent"))

    def test_a_logarithmic_axis_says_where_it_is_linear(self):
        below, above = self.file("below.csv", [-37.6, 10]), self.file("above.csv", [3, 10])
        for path, told in [(below, 1), (above, 0)]:
            ran = self.causeway("chart", "--log", "--input", path, "-o", f"{self.home.name}/log.svg")
            self.assertEqual((ran.returncode, ran.stderr.count("linear")), (0, told), ran)

    def test_a_picture_replaces_files_only(self):
        one = self.file("one.csv", [100, 110, 121])
        os.mkfifo(f"{self.home.name}/pipe.svg")
        os.mkdir(f"{self.home.name}/folder.svg")
        kept = f"{self.home.name}/kept.txt"
        Path(kept).write_text("kept")
        os.symlink(kept, f"{self.home.name}/link.svg")
        for name, kind in [("pipe.svg", stat.S_ISFIFO), ("folder.svg", stat.S_ISDIR), ("link.svg", stat.S_ISLNK)]:
            made, status, path = self.chart("--input", one, name=name)
            self.assertEqual((status, made["error"]["code"]), (1, "output.not-a-file"), name)
            self.assertTrue(kind(os.lstat(path).st_mode), name)
        self.assertEqual(Path(kept).read_text(), "kept")
        made, status, _ = self.chart("--input", one, name="none/chart.svg")
        self.assertEqual((status, made["error"]["code"]), (1, "output.unwritable"))
        _, status, path = self.chart("--input", one)
        self.assertEqual(status, 0)
        os.chmod(path, 0o600)
        self.assertEqual(self.chart("--input", one)[1], 0)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.assertEqual([name for name in os.listdir(self.home.name) if name.endswith(".new")], [])

    def test_a_recording_goes_into_a_folder(self):
        os.mkfifo(f"{self.home.name}/pipe")
        Path(f"{self.home.name}/file").write_text("kept")
        for name, code in [("pipe", "output.not-a-folder"), ("file", "output.not-a-folder"), ("none/new", "output.unwritable")]:
            ran = self.causeway("record", "700.HK", "--out", f"{self.home.name}/{name}", "--for", "1s")
            self.assertEqual((ran.returncode, json.loads(ran.stderr or ran.stdout)["error"]["code"]), (1, code), ran)
        self.assertEqual(Path(f"{self.home.name}/file").read_text(), "kept")


if __name__ == "__main__":
    unittest.main()
