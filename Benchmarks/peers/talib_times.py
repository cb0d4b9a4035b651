"""What TA-Lib takes for the indicators `causeway bench indicators` shares with it: talib_times.py FILE ROUNDS

FILE holds five columns of doubles: open, high, low, close, volume. Prints milliseconds by name as JSON, the shortest of
the rounds after one that warms up. Exit status 3: TA-Lib or numpy is not installed."""
import json
import sys
import time

try:
    import numpy
    import talib
except ImportError as missing:
    print(missing)
    sys.exit(3)

path, rounds = sys.argv[1], int(sys.argv[2])
opens, high, low, close, volume = numpy.fromfile(path).reshape(5, -1)
works = {
    "SMA": lambda: talib.SMA(close, 20),
    "EMA": lambda: talib.EMA(close, 20),
    "WMA": lambda: talib.WMA(close, 20),
    "BBANDS": lambda: talib.BBANDS(close, 20, 2, 2),
    "MACD": lambda: talib.MACD(close, 12, 26, 9),
    "RSI": lambda: talib.RSI(close, 14),
    "WILLR": lambda: talib.WILLR(high, low, close, 14),
    "CCI": lambda: talib.CCI(high, low, close, 14),
    "OBV": lambda: talib.OBV(close, volume),
    "DMI": lambda: (
        talib.PLUS_DI(high, low, close, 14), talib.MINUS_DI(high, low, close, 14), talib.ADX(high, low, close, 14)),
    "SAR": lambda: talib.SAR(high, low, 0.02, 0.2),
    "TRIX": lambda: talib.TRIX(close, 12),
    "ATR": lambda: talib.ATR(high, low, close, 14),
    "ROC": lambda: talib.ROC(close, 12),
    "MOM": lambda: talib.MOM(close, 10),
}
times = {}
for name, work in works.items():
    samples = []
    for _ in range(rounds + 1):
        begin = time.perf_counter_ns()
        work()
        samples.append((time.perf_counter_ns() - begin) / 1e6)
    times[name] = min(samples[1:])
print(json.dumps(times))
