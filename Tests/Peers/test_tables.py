"""`fees` and `ticksize` against an own reckoning from the tables, in whole numbers and fractions."""
import csv
import json
import os
import random
import tempfile
import unittest
from decimal import Decimal
from fractions import Fraction

from harness import ROOT, clean_environment, run

TABLES = ROOT / "Data/tables"
SECURITIES = {"stock", "etf", "reit", "preferred", "unit", "right", "warrant", "structured", "debt"}


def table(name):
    with open(TABLES / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def holds(row, date):
    return (not row["from"] or row["from"] <= date) and (not row["to"] or date <= row["to"])


def rounded(value, rule):
    """In whole cents (dollars for unit-up), by the slow way: count up from below."""
    step = Fraction(1) if rule == "unit-up" else Fraction(1, 100)
    steps = value / step
    below = steps.numerator // steps.denominator
    rest = steps - below
    if rule in ("unit-up", "cent-up"):
        return (below + (1 if rest > 0 else 0)) * step
    return (below + (1 if rest >= Fraction(1, 2) else 0)) * step


def expected(symbol, side, quantity, price, date):
    """Rule → amount; None where a rule has no rate for the day."""
    scopes = {symbol["market"]} | ({"US"} if symbol["symbol"].endswith(".US") else set())
    if symbol["product"]:
        scopes = {symbol["product"]}
    about = [
        row for row in table("fees.csv")
        if set(row["scopes"].split(";")) & scopes and row["currency"] == symbol["currency"]
        and symbol["kind"] in (SECURITIES if row["kinds"] == "securities" else row["kinds"].split(";"))
    ]
    worth = abs(Fraction(price) * Fraction(quantity) * int(symbol["multiplier"]))
    items = {}
    for name in {row["rule"] for row in about}:
        rows = [row for row in about if row["rule"] == name and holds(row, date)]
        if not rows:
            return None
        (row,) = rows
        if not row["rate"] or row["side"] not in ("both", side):
            continue
        rate = Fraction(row["rate"])
        if row["basis"] == "consideration":
            value = worth * rate
        elif row["basis"] == "order":
            value = rate
        else:
            value = Fraction(quantity) * rate
            if row["basis"] == "shares" and Fraction(price) < rate:
                value = Fraction(0)
        amount = rounded(value, row["rounding"])
        if row["min"]:
            amount = max(amount, Fraction(row["min"]))
        if row["max"]:
            amount = min(amount, Fraction(row["max"]))
        items[name] = amount
    return items


def days_of_change():
    days = set()
    for row in table("fees.csv"):
        for column in ("from", "to"):
            if row[column]:
                days.add(row[column])
    return sorted(days)


class Tables(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory(prefix="causeway-peer-")
        self.addCleanup(self.home.cleanup)
        self.environment = clean_environment(self.home.name)

    def ask(self, *arguments):
        result = run(*arguments, "--json", environment=self.environment)
        return result.returncode, json.loads(result.stdout)

    def test_fees_agree_with_an_own_reckoning(self):
        chance = random.Random(20261130)
        with open(ROOT / "Data/symbols.csv", newline="", encoding="utf-8") as file:
            symbols = {row["symbol"]: row for row in csv.DictReader(file)}
        names = ["700.HK", "9988.HK", "AAPL.US", "SPY.US", "HSI2612.HKFE", "ES2612.CME", "GC2702.COMEX"]
        days = days_of_change() + ["2026-11-30"] * 20
        refused = 0
        for _ in range(60):
            symbol, side, date = symbols[chance.choice(names)], chance.choice(["buy", "sell"]), chance.choice(days)
            quantity = str(chance.choice([1, 100, 300, 12_345, chance.randrange(1, 10**6)]))
            price = str(Decimal(chance.randrange(1, 10 ** chance.randrange(2, 7))) / 100)
            with self.subTest(symbol=symbol["symbol"], side=side, quantity=quantity, price=price, date=date):
                items = expected(symbol, side, quantity, price, date)
                status, answer = self.ask("fees", symbol["symbol"], side, quantity, price, "--date", date)
                if items is None:
                    refused += 1
                    self.assertEqual((status, answer["error"]["code"]), (1, "fees.unknown"))
                    continue
                self.assertEqual(status, 0, answer)
                self.assertEqual({item["rule"]: Fraction(item["amount"]) for item in answer["items"]}, items)
                self.assertEqual(Fraction(answer["total"]), sum(items.values()))
                worth = Fraction(price) * int(quantity) * int(symbol["multiplier"])
                self.assertEqual(Fraction(answer["consideration"]), worth)
                if symbol["kind"] != "future":
                    sign = 1 if side == "buy" else -1
                    self.assertEqual(Fraction(answer["settlement"]), worth + sign * sum(items.values()))
        self.assertLess(refused, 40)

    def test_steps_agree_with_the_table(self):
        chance = random.Random(7)
        rows = table("ticks.csv")
        symbols = {"700.HK": "HK-A", "AAPL.US": "US", "ES2612.CME": "ES"}
        dates = ["2025-08-03", "2025-08-04", "2026-08-02", "2026-08-03", "2026-11-30", "2027-11-01"]
        for _ in range(30):
            symbol, date = chance.choice(list(symbols)), chance.choice(dates)
            price = Decimal(chance.randrange(1, 10 ** chance.randrange(2, 8))) / 1000
            band = [
                row for row in rows if row["table"] == symbols[symbol] and holds(row, date)
                and (not row["over"] or Decimal(row["over"]) < price) and (not row["up_to"] or price <= Decimal(row["up_to"]))
            ]
            with self.subTest(symbol=symbol, date=date, price=price):
                status, answer = self.ask("ticksize", symbol, str(price), "--date", date)
                if not band:
                    self.assertEqual((status, answer["error"]["code"].split(".")[0]), (1, "tick"))
                    continue
                (row,) = band
                self.assertEqual(Decimal(answer["tick"]), Decimal(row["tick"]))
                self.assertEqual(answer["valid"], price % Decimal(row["tick"]) == 0)
                is_known = date <= next(row["known_to"] for row in table("checked.csv") if row["table"] == "ticks.csv")
                self.assertEqual(answer["verified"], is_known and row["confidence"] == "two_sources")
                self.assertEqual(answer["projected"], not is_known)

    def test_own_tables_win_and_are_named(self):
        folder = self.home.name + "/.config/causeway/tables"
        os.makedirs(folder)
        head = (TABLES / "fees.csv").read_text(encoding="utf-8").splitlines()[0]
        with open(folder + "/fees.csv", "w", encoding="utf-8") as file:
            file.write(head + "\nhouse,XHKG,stock,both,consideration,0.001,,,HKD,cent-half-up,,,ours,,\n")
        status, answer = self.ask("fees", "700.HK", "buy", "100", "350")
        self.assertEqual((status, answer["ownTables"], answer["total"], answer["verified"]), (0, ["fees.csv"], "35", False))
        # A server whose table says nothing of New York would let orders there pay nothing.
        result = run("serve", "--port", "0", "--json", environment=self.environment)
        self.assertEqual(result.returncode, 1, result)
        self.assertIn("fees.none", result.stdout + result.stderr)
        with open(folder + "/fees.csv", "a", encoding="utf-8") as file:
            file.write("house,XHKG,stock,both,consideration,0.002,,,HKD,cent-half-up,2026-01-01,,ours,,\n")
        status, answer = self.ask("fees", "700.HK", "buy", "100", "350")
        self.assertEqual((status, answer["error"]["code"]), (1, "data.corrupt"))
        self.assertIn("/causeway/tables/fees.csv:3: holds on days", answer["error"]["text"])

    def test_own_tables_that_are_none_are_refused(self):
        folder = self.home.name + "/.config/causeway/tables"
        os.makedirs(folder)
        with open(folder + "/holidays.csv", "w", encoding="utf-8") as file:
            file.write((TABLES / "holidays.csv").read_text(encoding="utf-8").splitlines()[0] + "\n")
        status, answer = self.ask("calendar", "HK", "2026-12-25")
        self.assertEqual((status, answer["error"]["code"]), (1, "data.corrupt"))
        self.assertIn(f"{folder}/holidays.csv:1: has no rows", answer["error"]["text"])
        os.remove(folder + "/holidays.csv")
        # Nobody writes to it: to read it would be to wait for ever.
        os.mkfifo(folder + "/fees.csv")
        status, answer = self.ask("fees", "700.HK", "buy", "100", "350")
        self.assertEqual((status, answer["error"]["code"]), (1, "data.corrupt"))
        self.assertIn(f"{folder}/fees.csv: is no regular file", answer["error"]["text"])


if __name__ == "__main__":
    unittest.main()
