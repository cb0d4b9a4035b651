import WireCodec

// The parts of google/protobuf/descriptor.proto and compiler/plugin.proto that a generator needs, read by hand because they come
// before any generated code.

/// A reader of one descriptor message: a field's tag leads to its action, anything else is stepped over.
protocol Descriptor {
    init()
    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool
}

extension Descriptor {
    mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        while true {
            let tag = try cursor.tag(bytes)
            if tag == 0 { return }
            if try !read(tag, bytes, &cursor) { try cursor.skip(bytes, tag) }
        }
    }

    static func nested(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Self {
        let outer = try cursor.enter(bytes)
        var value = Self()
        try value.merge(bytes, &cursor)
        cursor.leave(outer)
        return value
    }
}

struct GeneratorRequest: Descriptor {
    var filesToGenerate: [String] = []
    var parameter = ""
    var files: [FileDescriptor] = []

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        switch tag {
        case 10: filesToGenerate.append(try cursor.string(bytes))
        case 18: parameter = try cursor.string(bytes)
        case 122: files.append(try .nested(bytes, &cursor))
        default: return false
        }
        return true
    }
}

struct FileDescriptor: Descriptor {
    var name = ""
    var package = ""
    var syntax = ""
    var messages: [MessageDescriptor] = []
    var enums: [EnumDescriptor] = []
    var options = FileOptions()
    var source = SourceInfo()

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        switch tag {
        case 10: name = try cursor.string(bytes)
        case 18: package = try cursor.string(bytes)
        case 34: messages.append(try .nested(bytes, &cursor))
        case 42: enums.append(try .nested(bytes, &cursor))
        case 66: options = try .nested(bytes, &cursor)
        case 74: source = try .nested(bytes, &cursor)
        case 98: syntax = try cursor.string(bytes)
        default: return false
        }
        return true
    }
}

struct FileOptions: Descriptor {
    var swiftPrefix: String?

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        guard tag == 39 << 3 | 2 else { return false }
        swiftPrefix = try cursor.string(bytes)
        return true
    }
}

struct MessageDescriptor: Descriptor {
    var name = ""
    var fields: [FieldDescriptor] = []
    var messages: [MessageDescriptor] = []
    var enums: [EnumDescriptor] = []
    var oneofs: [OneofDescriptor] = []
    var options = MessageOptions()

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        switch tag {
        case 10: name = try cursor.string(bytes)
        case 18: fields.append(try .nested(bytes, &cursor))
        case 26: messages.append(try .nested(bytes, &cursor))
        case 34: enums.append(try .nested(bytes, &cursor))
        case 58: options = try .nested(bytes, &cursor)
        case 66: oneofs.append(try .nested(bytes, &cursor))
        default: return false
        }
        return true
    }
}

struct MessageOptions: Descriptor {
    var isMapEntry = false

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        guard tag == 56 else { return false }
        isMapEntry = try cursor.bool(bytes)
        return true
    }
}

struct FieldDescriptor: Descriptor {
    var name = ""
    var number: UInt32 = 0
    var isRepeated = false
    var type: Int32 = 0
    var typeName = ""
    var oneof: Int?
    var isOptional = false
    var options = FieldOptions()

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        switch tag {
        case 10: name = try cursor.string(bytes)
        case 24: number = try cursor.uint32(bytes)
        case 32: isRepeated = try cursor.int32(bytes) == 3
        case 40: type = try cursor.int32(bytes)
        case 50: typeName = try cursor.string(bytes)
        case 66: options = try .nested(bytes, &cursor)
        case 72: oneof = Int(try cursor.int32(bytes))
        case 136: isOptional = try cursor.bool(bytes)
        default: return false
        }
        return true
    }
}

struct FieldOptions: Descriptor {
    var packed: Bool?

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        guard tag == 16 else { return false }
        packed = try cursor.bool(bytes)
        return true
    }
}

struct OneofDescriptor: Descriptor {
    var name = ""

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        guard tag == 10 else { return false }
        name = try cursor.string(bytes)
        return true
    }
}

struct EnumDescriptor: Descriptor {
    var name = ""
    var values: [EnumValueDescriptor] = []

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        switch tag {
        case 10: name = try cursor.string(bytes)
        case 18: values.append(try .nested(bytes, &cursor))
        default: return false
        }
        return true
    }
}

struct EnumValueDescriptor: Descriptor {
    var name = ""
    var number: Int32 = 0

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        switch tag {
        case 10: name = try cursor.string(bytes)
        case 16: number = try cursor.int32(bytes)
        default: return false
        }
        return true
    }
}

/// Comments by the path of what they stand at: field numbers and indices of descriptor.proto, from the file down.
struct SourceInfo: Descriptor {
    var comments: [[Int32]: String] = [:]

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        guard tag == 10 else { return false }
        let location = try SourceLocation.nested(bytes, &cursor)
        let text = location.leading + location.trailing
        if !text.isEmpty { comments[location.path] = text }
        return true
    }
}

struct SourceLocation: Descriptor {
    var path: [Int32] = []
    var leading = ""
    var trailing = ""

    mutating func read(_ tag: UInt32, _ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) -> Bool {
        switch tag {
        case 8: path.append(try cursor.int32(bytes))
        case 10:
            let outer = try cursor.enterPacked(bytes)
            while cursor.isInside { path.append(try cursor.int32(bytes)) }
            cursor.leavePacked(outer)
        case 26: leading = try cursor.string(bytes)
        case 34: trailing = try cursor.string(bytes)
        default: return false
        }
        return true
    }
}
