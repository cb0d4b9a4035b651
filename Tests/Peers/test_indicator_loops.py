"""The indicators no common library has, computed again by plain loops from the words of `docs/indicators.md` over recorded bars.

Each value is made from its whole window, however slow; nothing is carried along but what the formula says depends on its own past."""
import math
import unittest

from real_bars import RecordedBars

NAN = math.nan


def total(values, period):
    """Of the last `period` values; undefined where there are not so many, or (it is the sum then) where one is undefined."""
    return [NAN if place < period - 1 else math.fsum(values[place - period + 1: place + 1]) for place in range(len(values))]


def mean(values, period):
    return [value / period for value in total(values, period)]


def before(values, by):
    return [NAN] * min(by, len(values)) + values[: max(0, len(values) - by)]


def each(function, *lines):
    """Undefined where one of the values is, or where the function divides by zero."""
    result = []
    for values in zip(*lines):
        try:
            result.append(NAN if math.isnan(sum(values)) else function(*values))
        except ZeroDivisionError:
            result.append(NAN)
    return result


def kdj(bars, period, k_period, d_period):
    k_line, d_line, raw, k, d = [], [], None, None, None
    for place in range(len(bars.close)):
        first = max(0, place - period + 1)
        high, low = max(bars.high[first: place + 1]), min(bars.low[first: place + 1])
        if high > low:
            raw = (bars.close[place] - low) / (high - low) * 100
        elif raw is None:
            raw = 50.0
        k = raw if k is None else (raw + (k_period - 1) * k) / k_period
        d = k if d is None else (k + (d_period - 1) * d) / d_period
        k_line.append(k)
        d_line.append(d)
    return [k_line, d_line, [3 * a - 2 * b for a, b in zip(k_line, d_line)]]


def expma(bars, period):
    line = []
    for close in bars.close:
        line.append(close if not line else (2 * close + (period - 1) * line[-1]) / (period + 1))
    return [line]


def bbi(bars, *periods):
    return [each(lambda *means: sum(means) / 4, *(mean(bars.close, period) for period in periods))]


def bias(bars, period):
    return [each(lambda close, average: (close - average) / average * 100, bars.close, mean(bars.close, period))]


def dma(bars, short, long, smooth):
    line = each(lambda a, b: a - b, mean(bars.close, short), mean(bars.close, long))
    return [line, mean(line, smooth)]


def psy(bars, period, smooth):
    rises = each(lambda now, old: 1.0 if now > old else 0.0, bars.close, before(bars.close, 1))
    line = [count / period * 100 for count in total(rises, period)]
    return [line, mean(line, smooth)]


def vr(bars, period, smooth):
    def side(sign):
        return each(
            lambda now, old, volume: volume if (now - old) * sign > 0 else volume / 2 if now == old else 0.0,
            bars.close, before(bars.close, 1), bars.volume)

    line = each(lambda up, down: up / down * 100, total(side(1), period), total(side(-1), period))
    return [line, mean(line, smooth)]


def cr(bars, period, *means):
    middle = each(lambda high, low: (high + low) / 2, before(bars.high, 1), before(bars.low, 1))
    above = each(lambda high, m: max(0, high - m), bars.high, middle)
    below = each(lambda low, m: max(0, m - low), bars.low, middle)
    line = each(lambda a, b: a / b * 100, total(above, period), total(below, period))
    return [line] + [before(mean(line, m), int(m / 2.5 + 1)) for m in means]


def asi(bars, period, smooth):
    swings = [NAN]
    for place in range(1, len(bars.close)):
        close, opened, high, low = bars.close[place], bars.open[place], bars.high[place], bars.low[place]
        last, last_open, last_low = bars.close[place - 1], bars.open[place - 1], bars.low[place - 1]
        a, b, c, d = abs(high - last), abs(low - last), abs(high - last_low), abs(last - last_open)
        if a > b and a > c:
            r = a + b / 2 + d / 4
        elif b > c and b > a:
            r = b + a / 2 + d / 4
        else:
            r = c + d / 4
        x = close - last + (close - opened) / 2 + last - last_open
        swings.append(16 * x / r * max(a, b) if r != 0 else 0.0)
    line = total(swings, period)
    return [line, mean(line, smooth)]


def emv(bars, period, smooth):
    ranges = [high - low for high, low in zip(bars.high, bars.low)]
    volumes, spans = mean(bars.volume, period), mean(ranges, period)
    raw = []
    for place in range(len(ranges)):
        if math.isnan(volumes[place]) or place == 0:
            raw.append(NAN)
        elif spans[place] == 0:
            raw.append(0.0 if place >= period else NAN)
        elif bars.volume[place] == 0:
            raw.append(NAN)
        else:
            both, old = bars.high[place] + bars.low[place], bars.high[place - 1] + bars.low[place - 1]
            raw.append(100 * (both - old) / both * (volumes[place] / bars.volume[place]) * ranges[place] / spans[place])
    line = mean(raw, period)
    return [raw, line, mean(line, smooth)]


def vwap(bars):
    line, day, value, volume = [], None, 0.0, 0.0
    for place, today in enumerate(bars.days):
        if today != day:
            day, value, volume = today, 0.0, 0.0
        value += (bars.high[place] + bars.low[place] + bars.close[place]) / 3 * bars.volume[place]
        volume += bars.volume[place]
        line.append(value / volume if volume else NAN)
    return [line]


def ichimoku(bars, conversion, base, span):
    def middle(period):
        return [
            NAN if place < period - 1
            else (max(bars.high[place - period + 1: place + 1]) + min(bars.low[place - period + 1: place + 1])) / 2
            for place in range(len(bars.high))]

    a, b = middle(conversion), middle(base)
    return [a, b, each(lambda x, y: (x + y) / 2, a, b), middle(span)]


def td(bars):
    """Both setups and countdowns, each side by itself but for the end that the other side's nine makes."""
    count = len(bars.close)
    setups = [[NAN] * count, [NAN] * count]
    for side, beyond in ((0, lambda now, old: now > old), (1, lambda now, old: now < old)):
        run = 0
        for place in range(4, count):
            run = (run % 9) + 1 if beyond(bars.close[place], bars.close[place - 4]) else 0
            if run:
                setups[side][place] = float(run)
    countdowns = [[NAN] * count, [NAN] * count]
    for side in (0, 1):
        counted = None
        for place in range(4, count):
            reached = bars.close[place] >= bars.high[place - 2] if side == 0 else bars.close[place] <= bars.low[place - 2]
            if counted is not None and reached:
                counted += 1
                countdowns[side][place] = float(counted)
                if counted == 13:
                    counted = None
            if setups[side][place] == 9:
                counted = 0
            elif setups[1 - side][place] == 9:
                counted = None
    return setups + countdowns


CASES = {
    "kdj": (kdj, (9, 3, 3), (2, 5, 1), (60, 20, 14), (250, 3, 3)),
    "expma": (expma, (1,), (12,), (250,)),
    "bbi": (bbi, (3, 6, 12, 24), (20, 1, 250, 5)),
    "bias": (bias, (1,), (6,), (24,), (250,)),
    "dma": (dma, (10, 50, 10), (60, 5, 20)),
    "psy": (psy, (12, 6), (1, 1), (250, 20)),
    "vr": (vr, (26, 6), (2, 3), (250, 20)),
    "cr": (cr, (26, 10, 20, 40, 62), (5, 1, 2, 3, 7)),
    "asi": (asi, (26, 10), (1, 1), (120, 60)),
    "emv": (emv, (14, 9), (1, 1), (60, 20)),
    "vwap": (vwap, ()),
    "ichimoku": (ichimoku, (9, 26, 52), (1, 2, 3), (120, 60, 250)),
    "td": (td, ()),
}


def asked(name, values):
    return ":".join([name, *map(str, values)])


class Loops(RecordedBars):
    asked = [asked(name, values) for name, (_, *parameters) in CASES.items() for values in parameters]

    def check(self, name):
        loop, *parameters = CASES[name]
        self.compare(*((asked(name, values), lambda bars, values=values: loop(bars, *values)) for values in parameters))

    def test_kdj(self):
        self.check("kdj")

    def test_expma(self):
        self.check("expma")

    def test_bbi(self):
        self.check("bbi")

    def test_bias(self):
        self.check("bias")

    def test_dma(self):
        self.check("dma")

    def test_psy(self):
        self.check("psy")

    def test_vr(self):
        self.check("vr")

    def test_cr(self):
        self.check("cr")

    def test_asi(self):
        self.check("asi")

    def test_emv(self):
        self.check("emv")

    def test_vwap(self):
        self.check("vwap")

    def test_ichimoku(self):
        self.check("ichimoku")

    def test_td(self):
        self.check("td")


if __name__ == "__main__":
    unittest.main()
