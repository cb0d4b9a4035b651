public import HTTP
public import Texts

/// `{"entries":[{"group","symbol"?,"position","pinned"?,"removed"?,"time","device"}]}`, in order of group and symbol.
extension Watchlist: JSONCodable {
    public init(json: JSONValue) throws(Failure) {
        self.init()
        for value in try json.elements("entries", limit: Self.mostSymbols + Self.mostGroups + Self.mostRemoved) {
            let group = try value.string("group", limit: 48)
            let symbol = try value.optionalString("symbol", limit: 24)
            guard Self.isName(group), symbol.map(Self.isSymbol) ?? true else { throw .invalid("entries") }
            let device = try value.string("device", limit: 32)
            let time = try value.integer("time")
            guard time >= 0, time < 1 << 52, !device.isEmpty else { throw .invalid("time") }
            let entry = Entry(
                stamp: WatchlistStamp(time: time, device: device), isRemoved: value["removed"] == nil ? false : try value.flag("removed"),
                position: try value.optionalInteger("position") ?? 0,
                isPinned: value["pinned"] == nil ? false : try value.flag("pinned"))
            guard (-1 << 52)...(1 << 52) ~= entry.position else { throw .invalid("position") }
            let key = Key(group: group, symbol: symbol)
            guard entries[key] == nil else { throw .invalid("entries") }
            entries[key] = entry
        }
    }

    public var json: JSONValue {
        let values = entries.sorted { $0.key < $1.key }.map { key, entry in
            var members: [JSONValue.Member] = [.init("group", .string(key.group))]
            if let symbol = key.symbol { members.append(.init("symbol", .string(symbol))) }
            if entry.isRemoved {
                members.append(.init("removed", .bool(true)))
            } else {
                members.append(.init("position", .int(entry.position)))
            }
            if entry.isPinned { members.append(.init("pinned", .bool(true))) }
            members += [.init("time", .int(entry.stamp.time)), .init("device", .string(entry.stamp.device))]
            return JSONValue.object(members)
        }
        return .object([.init("entries", .array(values))])
    }
}
