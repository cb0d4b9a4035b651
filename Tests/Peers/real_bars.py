"""Recorded bars of the shipped data as files that `causeway indicator --input` takes, and what it makes of them."""
import csv
import json
import tempfile
import unittest
from pathlib import Path

import numpy

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
    """One recording: columns of numbers."""

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
        self.columns = dict(zip(("open", "high", "low", "close", "volume"), map(numpy.array, columns)))

    def computed(self, indicators: list[str], width: int):
        """The program's lines of all these in one run, in their order, as rows of an array, NaN where it has none."""
        result = run("indicator", ",".join(indicators), "--input", str(self.path), "--csv")
        if result.returncode != 0:
            raise AssertionError(f"{indicators}: {result.stderr}")
        head, *rows = result.stdout.splitlines()
        names = next(csv.reader([head]))
        if (names[0], len(names), len(rows)) != ("time", 1 + width, len(self.days)):
            raise AssertionError(f"{indicators}: {len(rows)} rows of {names}")
        fields = [text if text else "nan" for row in rows for text in row.split(",")]
        table = numpy.array(fields, dtype=object).reshape(len(rows), 1 + width)
        return table[:, 1:].astype(float).T


class RecordedBars(unittest.TestCase):
    """Over each recording, the program's lines of all that a class asks for, made before its tests: a run for as many as one takes."""
    # Each an indicator with its parameters, or an expression of one line.
    asked: list[str] = []
    MOST = 32

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory(prefix="causeway-peer-") as folder:
            cls.bars = [Bars(rows, Path(folder), name) for name, rows in recordings().items()]
            widths = {each["name"].lower(): len(each["outputs"]) for each in json.loads(run("indicator", "--json").stdout)["indicators"]}
            asked = list(dict.fromkeys(cls.asked))
            cls.lines = {}
            for start in range(0, len(asked), cls.MOST):
                part = asked[start: start + cls.MOST]
                places = [0]
                for text in part:
                    places.append(places[-1] + widths.get(text.split(":")[0], 1))
                for bars in cls.bars:
                    lines = bars.computed(part, places[-1])
                    for text, first, end in zip(part, places, places[1:]):
                        cls.lines[bars.name, text] = lines[first:end]

    def compare(self, *cases):
        """Each case is a text that was asked, and what gives, of a recording, its lines in our order. Every line that differs is named."""
        faults = []
        for text, work in cases:
            for bars in self.bars:
                ours, theirs = self.lines[bars.name, text], work(bars)
                if len(ours) != len(theirs):
                    faults.append(f"{text} over {bars.name}: {len(ours)} lines, theirs {len(theirs)}")
                for line, (a, b) in enumerate(zip(ours, theirs)):
                    if found := difference(a, b):
                        faults.append(f"{text} over {bars.name}, line {line}: {found}")
        if faults:
            self.fail("\n".join([f"{len(faults)} lines differ", *faults[:40]]))


def difference(ours, theirs, tolerance=1e-9):
    """The first place where two lines differ, or where one has a value and the other none; None where they agree. Relative, absolute
    below 1."""
    ours, theirs = numpy.asarray(ours), numpy.asarray(theirs)
    assert ours.shape == theirs.shape
    undefined = numpy.isnan(ours)
    near = abs(ours - theirs) <= tolerance * numpy.maximum(1, abs(theirs))
    differ = numpy.where(undefined | numpy.isnan(theirs), undefined != numpy.isnan(theirs), ~near)
    places = numpy.flatnonzero(differ)
    return f"at {places[0]}: {ours[places[0]]!r}, theirs {theirs[places[0]]!r}" if len(places) else None
