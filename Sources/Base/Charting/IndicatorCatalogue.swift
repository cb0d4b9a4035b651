import Texts

extension Indicator {
    /// Every indicator, in the order users see.
    public static let all: [Indicator] = overPrices + oscillators + ofVolume + ofTrend

    private static func period(_ usual: Double, _ name: String = "n", from: Double = 1) -> Parameter {
        Parameter(name: name, usual: usual, range: from...10_000, isWhole: true)
    }

    private static func line(_ name: String, _ style: Output.Style = .line, shift: Int = 0) -> Output {
        Output(name: name, style: style, shift: shift)
    }

    private static let overPrices = [
        Indicator(
            name: "MA", parameters: [period(20)], outputs: [line("MA")], pane: .price, formula: "SUM(CLOSE,n)/n",
            seed: .words(.indicatorSeedNone),
            source: .words(.indicatorSourceMean), repeats: true, firstDefined: { [Int($0[0]) - 1] },
            make: { KernelSeries(MeanKernel(period: Int($0[0]))) }),
        Indicator(
            name: "EMA", parameters: [period(20)], outputs: [line("EMA")], pane: .price,
            formula: "EMA' + (CLOSE - EMA') * 2/(n+1)", seed: .words(.indicatorSeedMeanOfN), source: "TA-Lib", repeats: true,
            firstDefined: { [Int($0[0]) - 1] },
            make: { KernelSeries(ExponentialKernel(period: Int($0[0]), seed: Int($0[0]))) }),
        Indicator(
            name: "EXPMA", parameters: [period(12)], outputs: [line("EXPMA")], pane: .price,
            formula: "EXPMA' + (CLOSE - EXPMA') * 2/(n+1)", seed: .words(.indicatorSeedFirstClose),
            source: .words(.indicatorSourceTongdaxinEma), repeats: true,
            firstDefined: { _ in [0] }, make: { KernelSeries(ExponentialKernel(period: Int($0[0]), seed: 1)) }),
        Indicator(
            name: "WMA", parameters: [period(20)], outputs: [line("WMA")], pane: .price,
            formula: "(n*CLOSE + (n-1)*REF(CLOSE,1) + … + REF(CLOSE,n-1)) / (n*(n+1)/2)", seed: .words(.indicatorSeedNone),
            source: "TA-Lib", repeats: true,
            firstDefined: { [Int($0[0]) - 1] }, make: { KernelSeries(WeightedKernel(period: Int($0[0]))) }),
        Indicator(
            name: "BOLL", parameters: [period(20, from: 2), Parameter(name: "k", usual: 2, range: 0.01...100, isWhole: false)],
            outputs: [line("MID"), line("UPPER"), line("LOWER")], pane: .price,
            formula: .words(.indicatorFormulaBoll), seed: .words(.indicatorSeedNone),
            source: .words(.indicatorSourceBoll), repeats: false,
            firstDefined: { Array(repeating: Int($0[0]) - 1, count: 3) },
            make: { KernelSeries(BollingerKernel(period: Int($0[0]), width: $0[1])) }),
        Indicator(
            name: "BBI", parameters: [period(3, "a"), period(6, "b"), period(12, "c"), period(24, "d")], outputs: [line("BBI")],
            pane: .price, formula: "(MA(CLOSE,a) + MA(CLOSE,b) + MA(CLOSE,c) + MA(CLOSE,d)) / 4", seed: .words(.indicatorSeedNone),
            source: .words(.indicatorSourceTongdaxin),
            repeats: false, firstDefined: { [Int(max($0[0], $0[1], $0[2], $0[3])) - 1] },
            make: {
                KernelSeries(BullBearKernel(periods: (Int($0[0]), Int($0[1]), Int($0[2]), Int($0[3]))))
            }),
        Indicator(
            name: "SAR",
            parameters: [
                Parameter(name: "step", usual: 0.02, range: 0.0001...1, isWhole: false),
                Parameter(name: "most", usual: 0.2, range: 0.0001...1, isWhole: false),
            ],
            outputs: [line("SAR", .dots)], pane: .price, formula: .words(.indicatorFormulaSar),
            seed: .words(.indicatorSeedSar), source: .words(.indicatorSourceWilder), repeats: false,
            firstDefined: { _ in [1] }, make: { KernelSeries(ParabolicKernel(acceleration: $0[0], maximum: $0[1])) }),
        Indicator(
            name: "ICHIMOKU", parameters: [period(9, "conversion"), period(26, "base"), period(52, "span")],
            outputs: [line("TENKAN"), line("KIJUN"), line("SENKOU-A", shift: 26), line("SENKOU-B", shift: 26)], pane: .price,
            formula:
                .words(.indicatorFormulaIchimoku),
            seed: .words(.indicatorSeedNone),
            source: .words(.indicatorSourceHosoda), repeats: false,
            firstDefined: { [Int($0[0]) - 1, Int($0[1]) - 1, Int(max($0[0], $0[1])) - 1, Int($0[2]) - 1] },
            make: { KernelSeries(CloudKernel(conversion: Int($0[0]), base: Int($0[1]), span: Int($0[2]))) },
            cloud: Cloud(first: 2, second: 3), lagging: line("CHIKOU", shift: -26)),
        Indicator(
            name: "VWAP", parameters: [], outputs: [line("VWAP")], pane: .price,
            formula: .words(.indicatorFormulaVwap), seed: .words(.indicatorSeedVwap),
            source: .words(.indicatorSourceCommon), repeats: false, firstDefined: { _ in [0] },
            make: { _ in KernelSeries(VolumeWeightedKernel()) }),
        Indicator(
            name: "TD", parameters: [],
            outputs: [
                line("SELL-SETUP", .counts), line("BUY-SETUP", .counts), line("SELL-COUNTDOWN", .counts), line("BUY-COUNTDOWN", .counts),
            ],
            pane: .price,
            formula:
                .words(.indicatorFormulaTd),
            seed: .words(.indicatorSeedTd), source: .words(.indicatorSourceDemark), repeats: false, firstDefined: { _ in [] },
            make: { _ in KernelSeries(SequentialKernel()) }),
    ]

    private static let oscillators = [
        Indicator(
            name: "MACD", parameters: [period(12, "fast"), period(26, "slow"), period(9, "signal")],
            outputs: [line("DIF"), line("DEA"), line("MACD", .columns)], pane: .own,
            formula: "DIF = EMA(CLOSE,fast) - EMA(CLOSE,slow); DEA = EMA(DIF,signal); MACD = 2 * (DIF - DEA)",
            seed: .words(.indicatorSeedMacd),
            source: .words(.indicatorSourceMacd), repeats: false,
            firstDefined: {
                let slow = Int(max($0[0], $0[1])) - 1
                return [slow, slow + Int($0[2]) - 1, slow + Int($0[2]) - 1]
            },
            make: { values in
                // Either order is understood.
                let (fast, slow) = (Int(min(values[0], values[1])), Int(max(values[0], values[1])))
                return KernelSeries(ConvergenceKernel(fast: fast, slow: slow, signal: Int(values[2])))
            }),
        Indicator(
            name: "KDJ", parameters: [period(9), period(3, "k"), period(3, "d")], outputs: [line("K"), line("D"), line("J")], pane: .own,
            formula:
                "RSV = (CLOSE - LLV(LOW,n)) / (HHV(HIGH,n) - LLV(LOW,n)) * 100; K = SMA(RSV,k,1); D = SMA(K,d,1); J = 3*K - 2*D",
            seed: .words(.indicatorSeedKdj), source: .words(.indicatorSourceTongdaxin),
            repeats: false, firstDefined: { _ in [0, 0, 0] },
            make: { KernelSeries(StochasticKernel(period: Int($0[0]), k: Int($0[1]), d: Int($0[2]))) }),
        Indicator(
            name: "RSI", parameters: [period(14)], outputs: [line("RSI")], pane: .own,
            formula: .words(.indicatorFormulaRsi),
            seed: .words(.indicatorSeedRsi), source: .words(.indicatorSourceWilder), repeats: true,
            firstDefined: { [Int($0[0])] }, make: { KernelSeries(StrengthKernel(period: Int($0[0]))) }),
        Indicator(
            name: "WR", parameters: [period(14)], outputs: [line("WR")], pane: .own,
            formula: "(HHV(HIGH,n) - CLOSE) / (HHV(HIGH,n) - LLV(LOW,n)) * 100",
            seed: .words(.indicatorSeedWr), source: .words(.indicatorSourceWr),
            repeats: true, firstDefined: { [Int($0[0]) - 1] }, make: { KernelSeries(WilliamsKernel(period: Int($0[0]))) }),
        Indicator(
            name: "CCI", parameters: [period(14, from: 2)], outputs: [line("CCI")], pane: .own,
            formula: "(TP - MA(TP,n)) / (0.015 * AVEDEV(TP,n)), TP = (HIGH+LOW+CLOSE)/3", seed: .words(.indicatorSeedCci),
            source: .words(.indicatorSourceLambert), repeats: true, firstDefined: { [Int($0[0]) - 1] },
            make: { KernelSeries(CommodityChannelKernel(period: Int($0[0]))) }),
        Indicator(
            name: "ROC", parameters: [period(12), period(6, "m")], outputs: [line("ROC"), line("MAROC")], pane: .own,
            formula: "ROC = (CLOSE / REF(CLOSE,n) - 1) * 100; MAROC = MA(ROC,m)", seed: .words(.indicatorSeedNone),
            source: .words(.indicatorSourceBoth), repeats: false,
            firstDefined: { [Int($0[0]), Int($0[0] + $0[1]) - 1] },
            make: {
                KernelSeries(RateKernel(period: Int($0[0])), derived: [.mean(of: 0, period: Int($0[1]))])
            }),
        Indicator(
            name: "MTM", parameters: [period(12), period(6, "m")], outputs: [line("MTM"), line("MTMMA")], pane: .own,
            formula: "MTM = CLOSE - REF(CLOSE,n); MTMMA = MA(MTM,m)", seed: .words(.indicatorSeedNone), source: .words(.indicatorSourceMom),
            repeats: false,
            firstDefined: { [Int($0[0]), Int($0[0] + $0[1]) - 1] },
            make: {
                KernelSeries(ChangeKernel(period: Int($0[0])), derived: [.mean(of: 0, period: Int($0[1]))])
            }),
        Indicator(
            name: "TRIX", parameters: [period(12), period(9, "m")], outputs: [line("TRIX"), line("MATRIX")], pane: .own,
            formula: "TR = EMA(EMA(EMA(CLOSE,n),n),n); TRIX = (TR / REF(TR,1) - 1) * 100; MATRIX = MA(TRIX,m)",
            seed: .words(.indicatorSeedTrix), source: .words(.indicatorSourceBoth), repeats: false,
            firstDefined: { [3 * Int($0[0]) - 2, 3 * Int($0[0]) - 3 + Int($0[1])] },
            make: { KernelSeries(TripleExponentialKernel(period: Int($0[0])), derived: [.mean(of: 0, period: Int($0[1]))]) }),
        Indicator(
            name: "PSY", parameters: [period(12), period(6, "m")], outputs: [line("PSY"), line("PSYMA")], pane: .own,
            formula: "PSY = COUNT(CLOSE > REF(CLOSE,1), n) / n * 100; PSYMA = MA(PSY,m)", seed: .words(.indicatorSeedNone),
            source: .words(.indicatorSourceTongdaxin), repeats: false,
            firstDefined: { [Int($0[0]), Int($0[0] + $0[1]) - 1] },
            make: { KernelSeries(PsychologicalKernel(period: Int($0[0])), derived: [.mean(of: 0, period: Int($0[1]))]) }),
        Indicator(
            name: "BIAS", parameters: [period(6)], outputs: [line("BIAS")], pane: .own,
            formula: "(CLOSE - MA(CLOSE,n)) / MA(CLOSE,n) * 100", seed: .words(.indicatorSeedNone),
            source: .words(.indicatorSourceTongdaxin), repeats: true,
            firstDefined: { [Int($0[0]) - 1] }, make: { KernelSeries(BiasKernel(period: Int($0[0]))) }),
        Indicator(
            name: "DMA", parameters: [period(10, "short"), period(50, "long"), period(10, "m")], outputs: [line("DIF"), line("DIFMA")],
            pane: .own, formula: "DIF = MA(CLOSE,short) - MA(CLOSE,long); DIFMA = MA(DIF,m)", seed: .words(.indicatorSeedNone),
            source: .words(.indicatorSourceTongdaxin),
            repeats: false, firstDefined: { [Int(max($0[0], $0[1])) - 1, Int(max($0[0], $0[1]) + $0[2]) - 2] },
            make: {
                KernelSeries(
                    MeanDifferenceKernel(short: Int($0[0]), long: Int($0[1])), derived: [.mean(of: 0, period: Int($0[2]))])
            }),
    ]

    private static let ofVolume = [
        Indicator(
            name: "VOL-MA", parameters: [period(5)], outputs: [line("MAVOL")], pane: .volume, formula: "MA(VOL,n)",
            seed: .words(.indicatorSeedNone),
            source: .words(.indicatorSourceMean), repeats: true, firstDefined: { [Int($0[0]) - 1] },
            make: { KernelSeries(MeanKernel(period: Int($0[0]), ofVolume: true)) }),
        Indicator(
            name: "OBV", parameters: [], outputs: [line("OBV")], pane: .own,
            formula: .words(.indicatorFormulaObv), seed: .words(.indicatorSeedObv), source: "TA-Lib",
            repeats: false, firstDefined: { _ in [0] }, make: { _ in KernelSeries(OnBalanceKernel()) }),
        Indicator(
            name: "MFI", parameters: [period(14, from: 2)], outputs: [line("MFI")], pane: .own,
            formula:
                .words(.indicatorFormulaMfi),
            seed: .words(.indicatorSeedMfi), source: .words(.indicatorSourceMfi), repeats: true,
            firstDefined: { [Int($0[0])] }, make: { KernelSeries(MoneyFlowKernel(period: Int($0[0]))) }),
        Indicator(
            name: "VR", parameters: [period(26), period(6, "m")], outputs: [line("VR"), line("MAVR")], pane: .own,
            formula:
                .words(.indicatorFormulaVr),
            seed: .words(.indicatorSeedVr), source: .words(.indicatorSourceTongdaxin), repeats: false,
            firstDefined: { [Int($0[0]), Int($0[0] + $0[1]) - 1] },
            make: { KernelSeries(VolumeRatioKernel(period: Int($0[0])), derived: [.mean(of: 0, period: Int($0[1]))]) }),
        Indicator(
            name: "EMV", parameters: [period(14), period(9, "m")], outputs: [line("RAW"), line("EMV"), line("MAEMV")], pane: .own,
            formula:
                .symbols(
                    "RAW = 100 * (HIGH+LOW - REF(HIGH+LOW,1)) / (HIGH+LOW) * MA(VOL,n) / VOL * (HIGH-LOW) / MA(HIGH-LOW,n); EMV = MA(RAW,n); "
                        + "MAEMV = MA(EMV,m)"),
            seed: .words(.indicatorSeedEmv), source: .words(.indicatorSourceTongdaxin), repeats: false,
            firstDefined: {
                let raw = max(Int($0[0]) - 1, 1)
                return [raw, raw + Int($0[0]) - 1, raw + Int($0[0] + $0[1]) - 2]
            },
            make: {
                KernelSeries(
                    EaseOfMovementKernel(period: Int($0[0])),
                    derived: [.mean(of: 0, period: Int($0[0])), .mean(of: 1, period: Int($0[1]))])
            }),
    ]

    private static let ofTrend = [
        Indicator(
            name: "DMI", parameters: [period(14, from: 2)], outputs: [line("PDI"), line("MDI"), line("ADX"), line("ADXR")], pane: .own,
            formula:
                .words(.indicatorFormulaDmi),
            seed: .words(.indicatorSeedDmi), source: .words(.indicatorSourceWilder), repeats: false,
            firstDefined: {
                let n = Int($0[0])
                return [n, n, 2 * n - 1, 3 * n - 2]
            },
            make: { KernelSeries(DirectionalKernel(period: Int($0[0])), derived: [.midpoint(of: 2, lag: Int($0[0]) - 1)]) }),
        Indicator(
            name: "ATR", parameters: [period(14)], outputs: [line("ATR")], pane: .own, formula: .words(.indicatorFormulaAtr),
            seed: .words(.indicatorSeedAtr), source: .words(.indicatorSourceWilder), repeats: true,
            firstDefined: { [Int($0[0])] }, make: { KernelSeries(TrueRangeKernel(period: Int($0[0]))) }),
        Indicator(
            name: "CR", parameters: [period(26), period(10, "a"), period(20, "b"), period(40, "c"), period(62, "d")],
            outputs: [line("CR"), line("MA1"), line("MA2"), line("MA3"), line("MA4")], pane: .own,
            formula:
                .words(.indicatorFormulaCr),
            seed: .words(.indicatorSeedCr), source: .words(.indicatorSourceTongdaxin), repeats: false,
            firstDefined: { values in
                let first = Int(values[0])
                return [first] + values.dropFirst().map { first + Int($0) - 1 + Int($0 / 2.5) + 1 }
            },
            make: { values in
                KernelSeries(
                    EnergyKernel(period: Int(values[0])),
                    derived: values.dropFirst().map { .mean(of: 0, period: Int($0), shift: Int($0 / 2.5) + 1) })
            }),
        Indicator(
            name: "ASI", parameters: [period(26), period(10, "m")], outputs: [line("ASI"), line("ASIT")], pane: .own,
            formula:
                .words(.indicatorFormulaAsi),
            seed: .words(.indicatorSeedAsi), source: .words(.indicatorSourceAsi), repeats: false,
            firstDefined: { [Int($0[0]), Int($0[0] + $0[1]) - 1] },
            make: { KernelSeries(SwingKernel(period: Int($0[0])), derived: [.mean(of: 0, period: Int($0[1]))]) }),
    ]
}
