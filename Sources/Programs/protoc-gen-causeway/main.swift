import Foundation
import WireCodec

// protoc's plug-in protocol: a CodeGeneratorRequest on standard input, a CodeGeneratorResponse on standard output.
// Option `visibility=internal` leaves `public` out.

func respond(_ files: [(name: String, content: String)], error: String?) throws {
    var writer = WireWriter(capacity: 1 << 16)
    if let error { writer.string(10, error) }
    writer.uint64(16, 1)  // proto3 optional is understood
    for file in files {
        let start = writer.open(122)
        writer.string(10, file.name)
        writer.string(122, file.content)
        writer.close(start)
    }
    try FileHandle.standardOutput.write(contentsOf: Data(try writer.finish()))
}

func generate(_ input: [UInt8]) throws -> [(name: String, content: String)] {
    let limits = WireLimits()
    let bytes = input.span.bytes
    var cursor = WireCursor(bytes, limits: limits)
    var request = GeneratorRequest()
    try request.merge(bytes, &cursor)
    let schema = Schema(request.files)
    var files: [(name: String, content: String)] = []
    for file in request.files where request.filesToGenerate.contains(file.name) {
        let isPublic = request.parameter != "visibility=internal"
        let content = try Generator(file, schema, isPublic: isPublic).generate()
        files.append((file.name.replacingOccurrences(of: ".proto", with: ".pb.swift"), content))
    }
    return files
}

do {
    let input = [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
    do {
        try respond(try generate(input), error: nil)
    } catch let error as SchemaError {
        try respond([], error: error.text)
    } catch let error as WireError {
        try respond([], error: "unreadable request: \(error)")
    }
} catch {
    FileHandle.standardError.write(Data("protoc-gen-causeway: \(error)\n".utf8))
    exit(1)
}
