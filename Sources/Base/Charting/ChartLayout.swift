/// Where the panes of a chart lie: price, volume (14 %, none where nothing has a volume), each further indicator (20 %), the time axis below, the price axis at the right.
struct ChartLayout: Hashable, Sendable {
    struct Pane: Hashable, Sendable {
        enum Kind: Hashable, Sendable { case price, volume, indicators([Int]) }
        var kind: Kind
        var box: Rect
    }

    static let timeAxis = 20.0
    static let legend = 18.0
    static let header = 26.0

    var panes: [Pane]
    var plotWidth: Double
    var axisWidth: Double
    /// Of what stands right of the price axis; nothing where there is no room.
    var sideWidth: Double
    var axisTop: Double

    init(_ size: Size, _ content: ChartContent, _ texts: TextMeasure) {
        // Room for the longest price; at least that of the design.
        let widest = max(content.highest, content.bars.high.last.flatMap { $0.isFinite ? $0 : nil } ?? content.highest)
        let lowest = min(content.lowest, content.bars.low.last.flatMap { $0.isFinite ? $0 : nil } ?? content.lowest)
        let style = TextStyle(.text, isBold: true)
        let text = max(texts.width(content.price(widest), style), texts.width(content.price(lowest), style))
        axisWidth = size.width < 520 ? max(54, text + 12) : max(64, text + 14)
        sideWidth = content.chips == nil || size.width < 520 ? 0 : min(max((size.width * 0.14).rounded(), 110), 180)
        plotWidth = max(size.width - axisWidth - sideWidth, 10)
        axisTop = max(size.height - Self.timeAxis, 10)
        let own = content.indicators.indices.filter { content.indicators[$0].pane == .own }
        let volumeHeight = content.hasVolume ? (axisTop * 0.14).rounded() : 0
        var ownHeight = (axisTop * 0.2).rounded()
        let top = content.title.isEmpty ? 0 : Self.header
        // The price keeps two fifths however many panes there are.
        let most = (axisTop - top) * 0.6 - volumeHeight
        if ownHeight * Double(own.count) > most, !own.isEmpty { ownHeight = (most / Double(own.count)).rounded(.down) }
        let priceHeight = axisTop - top - volumeHeight - ownHeight * Double(own.count)
        panes = [Pane(kind: .price, box: Rect(0, top, plotWidth, priceHeight))]
        if content.hasVolume { panes.append(Pane(kind: .volume, box: Rect(0, top + priceHeight, plotWidth, volumeHeight))) }
        for (place, indicator) in own.enumerated() {
            let y = top + priceHeight + volumeHeight + ownHeight * Double(place)
            panes.append(Pane(kind: .indicators([indicator]), box: Rect(0, y, plotWidth, ownHeight)))
        }
    }
}
