"""Every indicator that TA-Lib has, over recorded bars and a grid of parameters: equal within 1e-9, and undefined where TA-Lib's is.

What is different on purpose is in `docs/indicators.md` and named here where it is passed over."""
import tempfile
import unittest
from pathlib import Path

import numpy
import talib

from real_bars import Bars, difference, recordings

PERIODS = [2, 3, 5, 10, 14, 20, 60, 120, 250]


def joined(form, periods):
    return ",".join(form.format(period) for period in periods)


class TALib(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="causeway-peer-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.bars = [Bars(rows, Path(cls.folder.name), name) for name, rows in recordings().items()]
        cls.columns = {
            bars.name: {key: numpy.array(getattr(bars, key)) for key in ("open", "high", "low", "close", "volume")} for bars in cls.bars}

    def compare(self, text, work):
        """`work` gives, of the columns, TA-Lib's lines in our order."""
        for bars in self.bars:
            ours = bars.ours(text)
            theirs = work(**self.columns[bars.name])
            self.assertEqual(len(ours), len(theirs), text)
            for line, (a, b) in enumerate(zip(ours, theirs)):
                with self.subTest(indicators=text, bars=bars.name, line=line):
                    self.assertIsNone(difference(a, b.tolist()))

    def grid(self, form, work, periods=PERIODS):
        """One line for each period."""
        self.compare(joined(form, periods), lambda **c: [work(c, period) for period in periods])

    def test_averages(self):
        self.grid("ma:{}", lambda c, n: talib.SMA(c["close"], n))
        self.grid("ema:{}", lambda c, n: talib.EMA(c["close"], n))
        self.grid("wma:{}", lambda c, n: talib.WMA(c["close"], n))
        self.grid("vol-ma:{}", lambda c, n: talib.SMA(c["volume"], n))

    def test_bands(self):
        for width in (1, 2, 2.5):
            form = "boll:{}:" + str(width)

            def work(width=width, **c):
                lines = []
                for period in PERIODS:
                    upper, middle, lower = talib.BBANDS(c["close"], period, width, width)
                    lines += [middle, upper, lower]
                return lines

            self.compare(joined(form, PERIODS), work)

    def test_strength(self):
        self.grid("rsi:{}", lambda c, n: talib.RSI(c["close"], n))

    def test_ranges(self):
        self.grid("wr:{}", lambda c, n: -talib.WILLR(c["high"], c["low"], c["close"], n))
        self.grid("cci:{}", lambda c, n: talib.CCI(c["high"], c["low"], c["close"], n))
        self.grid("atr:{}", lambda c, n: talib.ATR(c["high"], c["low"], c["close"], n))

    def test_changes(self):
        for name, theirs in (("roc", talib.ROC), ("mtm", talib.MOM), ("trix", talib.TRIX)):
            for mean in (2, 6):
                def work(theirs=theirs, mean=mean, **c):
                    lines = []
                    for period in PERIODS:
                        line = theirs(c["close"], period)
                        first = numpy.argmax(~numpy.isnan(line)) if not numpy.isnan(line).all() else len(line)
                        means = numpy.full(len(line), numpy.nan)
                        if len(line) - first >= mean:
                            means[first:] = talib.SMA(line[first:], mean)
                        lines += [line, means]
                    return lines

                self.compare(joined(name + ":{}:" + str(mean), PERIODS), work)

    def test_convergence(self):
        # TA-Lib holds DIF back until DEA begins: named.
        for fast, slow, signal in ((12, 26, 9), (2, 3, 2), (5, 10, 3), (26, 12, 9), (14, 60, 20), (60, 120, 250)):
            def work(fast=fast, slow=slow, signal=signal, **c):
                difference_, signal_, columns = talib.MACD(c["close"], fast, slow, signal)
                return [difference_, signal_, 2 * columns]

            for bars in self.bars:
                ours = bars.ours(f"macd:{fast}:{slow}:{signal}")
                theirs = [line.tolist() for line in work(**self.columns[bars.name])]
                begin = max(fast, slow) + signal - 2
                for line in range(3):
                    with self.subTest(parameters=(fast, slow, signal), bars=bars.name, line=line):
                        self.assertIsNone(difference(ours[line][begin:], theirs[line][begin:]))
                self.assertTrue(all(value != value for value in ours[0][: max(fast, slow) - 1]))
                self.assertTrue(all(value == value for value in ours[0][max(fast, slow) - 1 :]))

    def test_volume(self):
        self.compare("obv", lambda **c: [talib.OBV(c["close"], c["volume"])])
        self.grid("mfi:{}", lambda c, n: talib.MFI(c["high"], c["low"], c["close"], c["volume"], n))

    def test_direction(self):
        def work(**c):
            prices = (c["high"], c["low"], c["close"])
            return [line for n in PERIODS for line in (
                talib.PLUS_DI(*prices, n), talib.MINUS_DI(*prices, n), talib.ADX(*prices, n), talib.ADXR(*prices, n))]

        self.compare(joined("dmi:{}", PERIODS), work)

    def test_stop_and_reverse(self):
        for step, most in ((0.02, 0.2), (0.01, 0.1), (0.05, 0.5), (0.2, 0.2), (1, 1), (0.3, 0.1)):
            self.compare(f"sar:{step}:{most}", lambda **c: [talib.SAR(c["high"], c["low"], step, most)])

    def test_words_of_expressions(self):
        periods = [2, 5, 14, 60, 250]
        self.grid("HHV(H,{})", lambda c, n: talib.MAX(c["high"], n), periods)
        self.grid("LLV(L,{})", lambda c, n: talib.MIN(c["low"], n), periods)
        self.grid("SUM(V,{})", lambda c, n: talib.SUM(c["volume"], n), periods)
        self.grid("STDP(C,{})", lambda c, n: talib.STDDEV(c["close"], n, 1), periods)
        self.grid("WMA(C,{})", lambda c, n: talib.WMA(c["close"], n), periods)
        self.grid("AVEDEV(C,{})", lambda c, n: talib.AVGDEV(c["close"], n), periods)


if __name__ == "__main__":
    unittest.main()
