import Streams
import Testing

@testable import Charting

struct ExpressionTests {
    private func fault(_ text: String) -> ExpressionFault? {
        do throws(ExpressionFault) {
            _ = try Expression(text)
            return nil
        } catch { return error }
    }

    @Test func theWordsOfChineseProgramsGiveTheirFigures() throws {  // G-3
        let bars = walk(5, 300)
        let formula = try Expression("dif:ema(close,12)-EMA(C,26);DEA:EMA(DIF,9);MACD:2*(DIF-DEA);")
        #expect(formula.outputs == ["DIF", "DEA", "MACD"])
        let lines = try #require(formula.lines(bars))
        let fast = try #require(Indicator.all.first { $0.name == "EXPMA" })
        let (a, b) = (try fast.lines(bars, [12])[0], try fast.lines(bars, [26])[0])
        for place in 0..<300 { #expect(abs(lines[0][place] - (a[place] - b[place])) < 1e-9) }
    }

    /// An indicator and the same in words.
    @Test(arguments: [
        ("MA", [Double](), 0, "MA(CLOSE,20)"), ("BBI", [], 0, "(MA(C,3)+MA(C,6)+MA(C,12)+MA(C,24))/4"),
        ("ROC", [], 0, "(CLOSE/REF(CLOSE,12)-1)*100"), ("MTM", [], 1, "X:=C-REF(C,12);MA(X,6)"), ("WMA", [], 0, "WMA(C,20)"),
        ("BOLL", [], 1, "MA(C,20)+2*STDP(C,20)"), ("PSY", [], 0, "COUNT(C>REF(C,1),12)/12*100"), ("BIAS", [], 0, "(C-MA(C,6))/MA(C,6)*100"),
        ("CCI", [], 0, "T:=(H+L+C)/3;(T-MA(T,14))/(0.015*AVEDEV(T,14))"), ("DMA", [], 1, "MA(MA(C,10)-MA(C,50),10)"),
        ("WR", [], 0, "IF(HHV(H,14)>LLV(L,14),(HHV(H,14)-C)/(HHV(H,14)-LLV(L,14))*100,50)"),
        ("CR", [], 0, "M:=(REF(H,1)+REF(L,1))/2;SUM(MAX(0,H-M),26)/SUM(MAX(0,M-L),26)*100"),
        ("CR", [], 1, "M:=(REF(H,1)+REF(L,1))/2;R:=SUM(MAX(0,H-M),26)/SUM(MAX(0,M-L),26)*100;REF(MA(R,10),5)"),
        (
            "VR", [], 0,
            "D:=C-REF(C,1);SUM(IF(D>0,V,IF(D=0,V/2,0)),26)/SUM(IF(D<0,V,IF(D=0,V/2,0)),26)*100"
        ),
        (
            "ASI", [], 0,
            """
            LC:=REF(C,1);AA:=ABS(H-LC);BB:=ABS(L-LC);CC:=ABS(H-REF(L,1));DD:=ABS(LC-REF(O,1));
            R:=IF(AA>BB AND AA>CC,AA+BB/2+DD/4,IF(BB>CC AND BB>AA,BB+AA/2+DD/4,CC+DD/4));
            SUM(IF(R=0,0,16*(C-LC+(C-O)/2+LC-REF(O,1))/R*MAX(AA,BB)),26)
            """
        ),
        (
            "EMV", [], 2,
            """
            M:=100*(H+L-REF(H+L,1))/(H+L);
            RAW:=M*(MA(V,14)/V)*(H-L)/MA(H-L,14);MA(MA(RAW,14),9)
            """
        ),
        ("KDJ", [], 2, "R:=IF(HHV(H,9)>LLV(L,9),(C-LLV(L,9))/(HHV(H,9)-LLV(L,9))*100,50);K:=SMA(R,3,1);D:=SMA(K,3,1);3*K-2*D"),
    ])
    func indicatorsInWords(name: String, values: [Double], line: Int, text: String) throws {  // G-3
        let bars = walk(11, 500)
        let ours = try #require(Indicator.all.first { $0.name == name }).lines(bars, values)[line]
        let words = try #require(try Expression(text).lines(bars))[0]
        // KDJ begins with shorter windows; both meet after a while.
        for place in (name == "KDJ" ? 120 : 0)..<500 where !words[place].isNaN || name != "KDJ" {
            #expect(ours[place].isNaN == words[place].isNaN, "\(place)")
            if !ours[place].isNaN { #expect(abs(ours[place] - words[place]) <= 1e-9 * max(1, abs(words[place])), "\(place)") }
        }
    }

    @Test func whatIsNotUnderstoodIsNamedWithItsPlace() {
        #expect(fault("") == ExpressionFault(.empty, at: 0))
        #expect(fault("  ;; ") == ExpressionFault(.empty, at: 0))
        #expect(fault("MA(CLOSE,5") == ExpressionFault(.unfinished, at: 10))
        #expect(fault("MA(CLOSE,5))") == ExpressionFault(.unexpected(")"), at: 11))
        #expect(fault("CLOSE+FOO") == ExpressionFault(.unknownName("FOO"), at: 6))
        #expect(fault("MA(CLOSE)") == ExpressionFault(.arguments("MA", 2), at: 0))
        #expect(fault("MA(CLOSE,0)") == ExpressionFault(.window("MA"), at: 0))
        #expect(fault("MA(CLOSE,2.5)") == ExpressionFault(.window("MA"), at: 0))
        #expect(fault("MA(CLOSE,CLOSE)") == ExpressionFault(.window("MA"), at: 0))
        #expect(fault("1+MA(CLOSE,99999)") == ExpressionFault(.window("MA"), at: 2))
        #expect(fault("SMA(C,3,4)") == ExpressionFault(.window("SMA"), at: 0))
        #expect(fault("CLOSE:=1;CLOSE") == ExpressionFault(.nameTaken("CLOSE"), at: 0))
        #expect(fault("A:1;A:2") == ExpressionFault(.nameTaken("A"), at: 4))
        #expect(fault("1..2") == ExpressionFault(.unexpected("1..2"), at: 0))
        #expect(fault("C $ 2") == ExpressionFault(.unexpected("$"), at: 2))
        #expect(fault("腾讯") == ExpressionFault(.unknownName("腾讯"), at: 0))
        #expect(fault(String(repeating: "(", count: 4_000)) == ExpressionFault(.tooDeep, at: 32))
        #expect(fault(String(repeating: "-", count: 4_000) + "C")?.reason == .tooDeep)
        #expect(fault(String(repeating: "NOT ", count: 1_000) + "C")?.reason == .tooDeep)
        #expect(fault((0..<600).map { "\($0).5" }.joined(separator: "+"))?.reason == .tooComplex)
        #expect(fault(String(repeating: "C", count: 5_000))?.reason == .tooLong)
    }

    @Test func whatHasNoValueIsUndefined() throws {
        let bars = walk(2, 20)
        #expect(try #require(try Expression("C/0").lines(bars))[0].allSatisfy(\.isNaN))
        #expect(try #require(try Expression("C/(C-C)").lines(bars))[0].allSatisfy(\.isNaN))
        #expect(try #require(try Expression("LN(0)").lines(bars))[0].allSatisfy(\.isNaN))
        #expect(try #require(try Expression("EXP(EXP(C))").lines(bars))[0].allSatisfy(\.isNaN))
        #expect(try #require(try Expression("BARSLAST(C>1000000)").lines(bars))[0].allSatisfy(\.isNaN))
        #expect(try #require(try Expression("STD(C,1)").lines(bars))[0].allSatisfy(\.isNaN))
    }

    @Test func crossesAndCounts() throws {
        let closes = [1.0, 3, 3, 1, 3, 1]
        let bars = BarColumns(closes.map { .init(open: $0, high: $0, low: $0, close: $0, volume: 1) })
        let lines = try #require(try Expression("CROSS(C,2);COUNT(C>2,2);BARSLAST(C>2);NOT C>2 OR C=3").lines(bars))
        #expect(lines[0].dropFirst() == [1, 0, 0, 1, 0])
        #expect(lines[1].dropFirst() == [1, 2, 1, 1, 1])
        #expect(lines[2].dropFirst() == [0, 0, 1, 0, 1])
    }

    @Test(arguments: UInt64(0)..<30)
    func aLastBarThatChangesEqualsAFreshRun(seed: UInt64) throws {  // IND-11
        let texts = [
            "EMA(C,12)-EMA(C,26)", "SMA(MAX(C-REF(C,1),0),6,1)/SMA(ABS(C-REF(C,1)),6,1)*100", "HHV(H,9)-LLV(L,9)", "BARSLAST(C>REF(C,1))",
            "STD(C,10)+SUM(V,5)",
        ]
        let formula = try Expression(texts[Int(seed) % texts.count])
        let whole = walk(seed, 300)
        let series = formula.series()
        var bars = BarColumns()
        for place in 0..<whole.count {
            var wrong = whole[place]
            wrong.close = wrong.high
            bars.append(wrong)
            series.update(bars, changed: place)
            bars[place] = whole[place]
            series.update(bars, changed: place)
        }
        #expect(series.lines[0].map(\.bitPattern) == formula.lines(whole)?[0].map(\.bitPattern))
    }

    @Test(arguments: UInt64(0)..<300)
    func anyTextIsAnExpressionOrAFault(seed: UInt64) {
        let words = [
            "MA", "(", ")", "CLOSE", "C", ",", "5", "+", "-", "*", "/", ">", "<", "=", ":", ":=", ";", "IF", "AND", "OR", "NOT", "REF", "0",
            "1.5", "EMA", "X", " ",
        ]
        var random = SeededRandom(seed: seed)
        let text = (0..<Int(random.next() % 40)).map { _ in words[Int(random.next() % UInt64(words.count))] }.joined()
        if let formula = try? Expression(text) { #expect(formula.lines(walk(seed, 30))?.count == formula.outputs.count) }
    }
}
