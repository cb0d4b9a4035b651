/// An indicator's formula, one bar at a time. Batch, append and replacement of the last bar all run this one step.
///
/// A step may look at any bar up to its own and changes nothing but its state, which holds a few numbers and is copied at each tick; so a
/// last bar that changes is simply stepped again from the state before it.
protocol Kernel: Sendable {
    associatedtype State: BitwiseCopyable
    associatedtype Row: KernelRow
    /// The lines are undefined before this bar, and no step is made there.
    var first: Int { get }
    func start(_ scratch: Scratch) -> State
    /// Whether four bars from `place` on, which four divides, can be stepped as `sure`: nothing is missing, or no window is cut, so that
    /// neither is looked for. That is the same arithmetic.
    func isSure(_ state: State, _ bars: BarView, _ place: Int) -> Bool
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Row
}

/// A state that begins the same way always.
protocol PlainState: BitwiseCopyable { init() }

/// Of a formula that looks at bars only.
struct NoState: PlainState {}

extension Kernel {
    var first: Int { 0 }
    @inline(__always)
    func isSure(_ state: State, _ bars: BarView, _ place: Int) -> Bool { false }

    /// Steps through bars; one loop is compiled for each kernel. The state is read and written by a pointer, which the compiler cannot take
    /// for the variable itself: in between it stays in registers.
    @inline(never)
    func run(_ memory: UnsafeMutablePointer<State>, _ bars: BarView, _ range: Range<Int>, _ lines: Lines) {
        let end = range.upperBound
        var place = range.lowerBound
        while place < first, place < end {
            Row.undefined.store(lines, place)
            place &+= 1
        }
        var state = memory.pointee
        while place < end {
            if place & 3 == 0, end &- place >= 4, isSure(state, bars, place) {
                let base = (place >> 2) << 2
                step(&state, bars, base, sure: true).store(lines, base)
                step(&state, bars, base | 1, sure: true).store(lines, base | 1)
                step(&state, bars, base | 2, sure: true).store(lines, base | 2)
                step(&state, bars, base | 3, sure: true).store(lines, base | 3)
                place &+= 4
            } else {
                step(&state, bars, place, sure: false).store(lines, place)
                place &+= 1
            }
        }
        memory.pointee = state
    }
}

extension Kernel where State: PlainState {
    func start(_ scratch: Scratch) -> State { State() }
}

/// Where the columns of bars lie, for the time of one call. Nothing is checked here: who runs through a range has compared it with the
/// number of bars.
struct BarView {
    let open: UnsafePointer<Double>
    let high: UnsafePointer<Double>
    let low: UnsafePointer<Double>
    let close: UnsafePointer<Double>
    let volume: UnsafePointer<Double>
    let day: UnsafePointer<Int32>

    /// Four values of a column: a number where all of them are.
    @inline(__always)
    static func four(_ column: UnsafePointer<Double>, _ place: Int) -> Double {
        column[place] + column[place &+ 1] + (column[place &+ 2] + column[place &+ 3])
    }

    /// Three times the typical price.
    @inline(__always)
    func sum(_ place: Int) -> Double { high[place] + low[place] + close[place] }

    /// The range of the bar and the close before.
    @inline(__always)
    func trueRange(_ place: Int, sure: Bool) -> Double {
        let (before, high, low) = (close[place &- 1], high[place], low[place])
        if !sure, before.isNaN { return .nan }
        // A missing price is not smaller or larger than another and makes it missing.
        return (before > high ? before : high) - (before < low ? before : low)
    }
}

extension BarColumns {
    /// Not called where there are no bars.
    @inline(__always)
    func withView(_ body: (BarView) -> Void) {
        open.withUnsafeBufferPointer { open in
            high.withUnsafeBufferPointer { high in
                low.withUnsafeBufferPointer { low in
                    close.withUnsafeBufferPointer { close in
                        volume.withUnsafeBufferPointer { volume in
                            day.withUnsafeBufferPointer { day in
                                guard let open = open.baseAddress, let high = high.baseAddress, let low = low.baseAddress,
                                    let close = close.baseAddress, let volume = volume.baseAddress, let day = day.baseAddress
                                else { return }
                                body(BarView(open: open, high: high, low: low, close: close, volume: volume, day: day))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Where an indicator's lines lie, for the time of one call; at most five. Those there are not are where the first is.
struct Lines {
    static let most = 5
    private(set) var all: InlineArray<5, UnsafeMutablePointer<Double>>

    init(_ first: UnsafeMutablePointer<Double>) { all = InlineArray(repeating: first) }

    subscript(line: Int) -> UnsafeMutablePointer<Double> {
        @inline(__always) get { all[line] }
        set { all[line] = newValue }
    }
}

/// What a step gives: one value for each line, NaN where undefined.
protocol KernelRow {
    static var lines: Int { get }
    static var undefined: Self { get }
    func store(_ lines: Lines, _ place: Int)
}

extension Double: KernelRow {
    static var lines: Int { 1 }
    static var undefined: Double { .nan }
    @inline(__always)
    func store(_ lines: Lines, _ place: Int) { lines[0][place] = self }
}

struct Three: KernelRow {
    var first: Double
    var second: Double
    var third: Double
    static var lines: Int { 3 }
    static var undefined: Three { Three(first: .nan, second: .nan, third: .nan) }
    @inline(__always)
    func store(_ lines: Lines, _ place: Int) {
        lines[0][place] = first
        lines[1][place] = second
        lines[2][place] = third
    }
}

struct Four: KernelRow {
    var first: Double
    var second: Double
    var third: Double
    var fourth: Double
    static var lines: Int { 4 }
    static var undefined: Four { Four(first: .nan, second: .nan, third: .nan, fourth: .nan) }
    @inline(__always)
    func store(_ lines: Lines, _ place: Int) {
        lines[0][place] = first
        lines[1][place] = second
        lines[2][place] = third
        lines[3][place] = fourth
    }
}
