"""Chip distribution (G-3) against a plain loop over the formula of docs/chips.md, which shares nothing with the program."""
import csv
import json
import math
import random
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, run


def steps():
    for exponent in range(-9, 16):
        for digit in (1, 2, 5):
            yield digit * float(f"1e{exponent}")


def below(low, middle, high, price):
    """Area of the triangle left of a price: by its height there, not by a closed formula of the whole."""
    price = min(max(price, low), high)
    if high == low:
        return 0.0 if price < high else 1.0
    peak = 2 / (high - low)
    if price <= middle:
        return 0.0 if middle == low else (price - low) / 2 * (peak * (price - low) / (middle - low))
    return 1 - (high - price) / 2 * (peak * (high - price) / (high - middle))


def chips(rows, free):
    rows = [row for row in rows if all(value is not None for value in row)]
    lowest, highest = min(row[1] for row in rows), max(row[0] for row in rows)
    least = max(max(abs(lowest), abs(highest)) * 1e-5, 1e-9)
    step = next(s for s in steps() if s >= least and math.floor(highest / s) - math.floor(lowest / s) < 200)
    first = math.floor(lowest / step)
    costs, mean = {}, 0.0
    for high, low, close, volume in rows:
        turnover = min(1.0, volume / free)
        for number in costs:
            costs[number] -= costs[number] * turnover
        mean -= mean * turnover
        middle = (high + low + close) / 3
        mean += turnover * (low + middle + high) / 3
        last = math.floor(high / step)
        for number in range(math.floor(low / step), last + 1):
            right = 1.0 if number == last else below(low, middle, high, (number + 1) * step)
            left = 0.0 if number == math.floor(low / step) else below(low, middle, high, number * step)
            costs[number] = costs.get(number, 0.0) + turnover * (right - left)
    known = sum(costs.values())
    close = rows[-1][2]

    def share(price):
        return sum(mass * min(max(price / step - number, 0.0), 1.0) for number, mass in costs.items()) / known

    def cost(part):
        left, right = first * step, (math.floor(highest / step) + 1) * step
        for _ in range(200):
            middle = (left + right) / 2
            left, right = (middle, right) if share(middle) < part else (left, middle)
        return right

    return {"step": step, "first": first, "costs": costs, "known": known, "average": mean / known, "profit": share(close),
            "ranges": {part: (cost((1 - part) / 2), cost((1 + part) / 2)) for part in (0.9, 0.7)}}


class Chips(unittest.TestCase):
    def near(self, ours, theirs, what):
        self.assertLessEqual(abs(float(ours) - theirs), 1e-9 * max(1.0, abs(theirs)), what)

    def compare(self, path, rows, free):
        ran = run("indicator", "chips", "--input", path, "--float", str(free), "--json")
        self.assertEqual(ran.returncode, 0, ran)
        ours, theirs = json.loads(ran.stdout)["chips"], chips(rows, free)
        for name in ("known", "average", "profit", "step"):
            self.near(ours[name], theirs[name], name)
        for each in ours["ranges"]:
            low, high = theirs["ranges"][float(each["share"])]
            self.near(each["low"], low, "low")
            self.near(each["high"], high, "high")
            self.near(each["concentration"], (high - low) / (high + low), "concentration")
        self.assertLessEqual(len(ours["bins"]), 200)
        for each in ours["bins"]:
            number = round(float(each["low"]) / theirs["step"])
            self.near(each["share"], theirs["costs"].get(number, 0.0) / theirs["known"], f"bin {number}")
        self.assertLess(abs(sum(float(each["share"]) for each in ours["bins"]) - 1), 1e-9)

    def test_real_bars(self):
        path = ROOT / "Tests/Fixtures/indicators/aapl_daily_300.csv"
        with open(path, encoding="utf-8") as file:
            rows = [[float(row[name]) for name in ("high", "low", "close", "volume")]
                    for row in csv.DictReader(line.lower() for line in file)]
        for free in (939_000_000, 20_000_000_000, 1_000_000):
            with self.subTest(free):
                self.compare(str(path), rows, free)

    def test_made_up_bars_with_gaps(self):
        for seed in range(12):
            draw = random.Random(seed)
            price, rows, lines = draw.choice([0.05, 3.0, 80.0, 60_000.0]), [], ["date,open,high,low,close,volume"]
            for day in range(1, 201):
                date = f"{2020 + day // 28 // 12}-{day // 28 % 12 + 1:02}-{day % 28 + 1:02}"
                if draw.random() < 0.05:
                    lines.append(f"{date},,,,,")
                    continue
                price = max(price * (1 + draw.uniform(-0.05, 0.05)), 0.01)
                flat = draw.random() < 0.1
                close = round(price, 3)
                high = close if flat else round(close * (1 + draw.random() * 0.03), 3)
                low = close if flat else round(close * (1 - draw.random() * 0.03), 3)
                volume = 0 if draw.random() < 0.05 else draw.randrange(2_000_000)
                rows.append([high, low, close, volume])
                lines.append(f"{date},{close},{high},{low},{close},{volume}")
            with self.subTest(seed), tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "bars.csv"
                path.write_text("\n".join(lines) + "\n", encoding="utf-8")
                self.compare(str(path), rows, draw.choice([1_500_000, 30_000_000, 10**12]))

    def test_what_it_needs_is_said(self):
        path = str(ROOT / "Tests/Fixtures/indicators/aapl_daily_300.csv")
        for arguments, code in (
                ((), "chips.float"), (("--float", "0"), "usage.argument-range"), (("--float", "x"), "usage.argument-range"),
                (("--float", "1e9"), "usage.argument-range")):
            ran = run("indicator", "chips", "--input", path, *arguments, "--json")
            self.assertEqual(json.loads(ran.stdout or ran.stderr)["error"]["code"], code, arguments)
            self.assertNotEqual(ran.returncode, 0)
        with tempfile.TemporaryDirectory() as folder:
            bare = Path(folder) / "bare.csv"
            bare.write_text("date,open,high,low,close\n2026-11-30,1,2,1,2\n", encoding="utf-8")
            ran = run("indicator", "chips", "--input", str(bare), "--float", "100", "--json")
            self.assertEqual(json.loads(ran.stdout or ran.stderr)["error"]["code"], "indicator.invalid")


if __name__ == "__main__":
    unittest.main()
