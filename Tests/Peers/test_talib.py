"""Every indicator that TA-Lib has, over recorded bars and a grid of parameters: equal within 1e-9, and undefined where TA-Lib's is.

What is different on purpose is in `docs/indicators.md` and named here where it is passed over."""
import unittest

import numpy
import talib

from real_bars import RecordedBars, difference

PERIODS = [2, 3, 5, 10, 14, 20, 60, 120, 250]


def grid(form, work, periods=PERIODS):
    """What is asked for each period, and how TA-Lib makes the same line or lines of the columns."""
    def lines(period):
        def made(bars):
            found = work(bars.columns, period)
            return [found] if isinstance(found, numpy.ndarray) else found

        return made

    return [(form.format(period), lines(period)) for period in periods]


def prices(columns):
    return columns["high"], columns["low"], columns["close"]


def bands(width):
    def work(c, n):
        upper, middle, lower = talib.BBANDS(c["close"], n, width, width)
        return [middle, upper, lower]

    return grid("boll:{}:" + str(width), work)


def changes(name, theirs, mean):
    def work(c, n):
        line = theirs(c["close"], n)
        first = numpy.argmax(~numpy.isnan(line)) if not numpy.isnan(line).all() else len(line)
        means = numpy.full(len(line), numpy.nan)
        if len(line) - first >= mean:
            means[first:] = talib.SMA(line[first:], mean)
        return [line, means]

    return grid(name + ":{}:" + str(mean), work)


def stop(step, most):
    return f"sar:{step}:{most}", lambda bars: [talib.SAR(bars.columns["high"], bars.columns["low"], step, most)]


def words():
    periods = [2, 5, 14, 60, 250]
    return (
        grid("HHV(H,{})", lambda c, n: talib.MAX(c["high"], n), periods)
        + grid("LLV(L,{})", lambda c, n: talib.MIN(c["low"], n), periods)
        + grid("SUM(V,{})", lambda c, n: talib.SUM(c["volume"], n), periods)
        + grid("STDP(C,{})", lambda c, n: talib.STDDEV(c["close"], n, 1), periods)
        + grid("WMA(C,{})", lambda c, n: talib.WMA(c["close"], n), periods)
        + grid("AVEDEV(C,{})", lambda c, n: talib.AVGDEV(c["close"], n), periods))


CASES = {
    "averages": (
        grid("ma:{}", lambda c, n: talib.SMA(c["close"], n))
        + grid("ema:{}", lambda c, n: talib.EMA(c["close"], n))
        + grid("wma:{}", lambda c, n: talib.WMA(c["close"], n))
        + grid("vol-ma:{}", lambda c, n: talib.SMA(c["volume"], n))),
    "bands": [case for width in (1, 2, 2.5) for case in bands(width)],
    "strength": grid("rsi:{}", lambda c, n: talib.RSI(c["close"], n)),
    "ranges": (
        grid("wr:{}", lambda c, n: -talib.WILLR(*prices(c), n))
        + grid("cci:{}", lambda c, n: talib.CCI(*prices(c), n))
        + grid("atr:{}", lambda c, n: talib.ATR(*prices(c), n))),
    "changes": [
        case for name, theirs in (("roc", talib.ROC), ("mtm", talib.MOM), ("trix", talib.TRIX)) for mean in (2, 6)
        for case in changes(name, theirs, mean)],
    "volume": (
        [("obv", lambda bars: [talib.OBV(bars.columns["close"], bars.columns["volume"])])]
        + grid("mfi:{}", lambda c, n: talib.MFI(*prices(c), c["volume"], n))),
    "direction": grid(
        "dmi:{}", lambda c, n: [each(*prices(c), n) for each in (talib.PLUS_DI, talib.MINUS_DI, talib.ADX, talib.ADXR)]),
    "stop and reverse": [stop(*each) for each in ((0.02, 0.2), (0.01, 0.1), (0.05, 0.5), (0.2, 0.2), (1, 1), (0.3, 0.1))],
    "words of expressions": words(),
}
CONVERGENCE = [(12, 26, 9), (2, 3, 2), (5, 10, 3), (26, 12, 9), (14, 60, 20), (60, 120, 250)]


class TALib(RecordedBars):
    asked = [text for cases in CASES.values() for text, _ in cases] + [f"macd:{fast}:{slow}:{signal}" for fast, slow, signal in CONVERGENCE]

    def check(self, name):
        self.compare(*CASES[name])

    def test_averages(self):
        self.check("averages")

    def test_bands(self):
        self.check("bands")

    def test_strength(self):
        self.check("strength")

    def test_ranges(self):
        self.check("ranges")

    def test_changes(self):
        self.check("changes")

    def test_convergence(self):
        # TA-Lib holds DIF back until DEA begins: named.
        for fast, slow, signal in CONVERGENCE:
            begin = max(fast, slow) + signal - 2
            for bars in self.bars:
                ours = self.lines[bars.name, f"macd:{fast}:{slow}:{signal}"]
                difference_, signal_, columns = talib.MACD(bars.columns["close"], fast, slow, signal)
                for line, theirs in enumerate((difference_, signal_, 2 * columns)):
                    with self.subTest(parameters=(fast, slow, signal), bars=bars.name, line=line):
                        self.assertIsNone(difference(ours[line][begin:], theirs[begin:]))
                self.assertEqual(len(ours), 3)
                self.assertTrue(numpy.isnan(ours[0][: max(fast, slow) - 1]).all())
                self.assertFalse(numpy.isnan(ours[0][max(fast, slow) - 1 :]).any())

    def test_volume(self):
        self.check("volume")

    def test_direction(self):
        self.check("direction")

    def test_stop_and_reverse(self):
        self.check("stop and reverse")

    def test_words_of_expressions(self):
        self.check("words of expressions")


if __name__ == "__main__":
    unittest.main()
