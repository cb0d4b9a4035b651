"""Recorded bars of the shipped data as files that `causeway indicator --input` takes, and what it makes of them."""
import csv
import math
from pathlib import Path

from harness import ROOT, run

REPLAY = ROOT / "Data/replay"
# Four New York shares of 1,529 days, two Hong Kong shares of 247, and minutes: an index without volume, two shares.
DAILY = ["XNAS_AAPL", "XNAS_MSFT", "XNYS_IBM", "XNAS_GOOG", "XHKG_00700", "XHKG_09988"]
MINUTES = ["INDX_SPX", "XHKG_00700", "XHKG_09988"]


def recordings():
    """Name → rows of time, open, high, low, close, volume as they are written."""
    found = {}
    for name in DAILY:
        with open(REPLAY / f"daily/{name}.csv", newline="") as file:
            found[name] = [[row[key] for key in ("date", "open", "high", "low", "close", "volume")] for row in csv.DictReader(file)]
    for name in MINUTES:
        rows = []
        for path in sorted((REPLAY / "bars").glob(f"{name}_1m_*.csv")):
            with open(path, newline="") as file:
                for row in csv.DictReader(file):
                    time = row["time_utc_start"].replace("T", " ")[:16]
                    rows.append([time] + [row[key] for key in ("open", "high", "low", "close", "volume")])
        found[f"{name}_1m"] = rows
    return found


class Bars:
    """One recording: columns of numbers, and the program's lines over it."""

    def __init__(self, rows, folder: Path, name: str):
        self.path = folder / f"{name}.csv"
        with open(self.path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["time", "open", "high", "low", "close", "volume"])
            writer.writerows(rows)
        self.name = name
        self.days = [row[0][:10] for row in rows]
        columns = [[float(row[place]) for row in rows] for place in range(1, 6)]
        self.open, self.high, self.low, self.close, self.volume = columns

    def ours(self, indicators: str):
        """The program's lines in their order, NaN where it has none."""
        result = run("indicator", indicators, "--input", str(self.path), "--csv")
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        rows = list(csv.reader(result.stdout.splitlines()))
        return [[float(text) if text else math.nan for text in column] for column in list(zip(*rows[1:]))[1:]]


def difference(ours, theirs, tolerance=1e-9):
    """The first place where two lines differ, or where one has a value and the other none; None where they agree. Relative, absolute
    below 1."""
    assert len(ours) == len(theirs)
    for place, (a, b) in enumerate(zip(ours, theirs)):
        if math.isnan(a) and math.isnan(b):
            continue
        if math.isnan(a) or math.isnan(b) or abs(a - b) > tolerance * max(1, abs(b)):
            return f"at {place}: {a!r}, theirs {b!r}"
    return None
