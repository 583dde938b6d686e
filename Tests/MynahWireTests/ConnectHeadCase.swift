import APNsRules
import Foundation

/// One case of `fixtures/proxy/heads.json`: the bytes of a client, and the expected result.
///
/// The file is an array of cases with `name`, `source`, `head` (an array of pieces, each a text, `{"text", "times"}` or
/// `{"hex"}`) and `expect`: `target`, with the tunnel's bytes as `rest` in hex if there are any; or `incomplete`; or
/// `status` and a part of the answer, `says`. `Tests/clients` reads it too.
struct ConnectHeadCase: Sendable, CustomStringConvertible {
    /// The result of a head.
    enum Expected: Sendable, Equatable {
        case target(String, rest: String)
        case incomplete
        case refused(status: Int, says: String)
    }

    /// A case that can't be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let name: String
    let bytes: [UInt8]
    let expected: Expected

    var description: String { name }

    /// All cases, in the order of the file.
    static func all() throws -> [ConnectHeadCase] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "fixtures/proxy/heads.json")
        let cases = try JSONValue(parsing: Array(try Data(contentsOf: file))).array ?? []
        guard !cases.isEmpty else { throw Failure(description: "\(file.path) has no cases") }
        return try cases.map(ConnectHeadCase.init)
    }

    private init(_ json: JSONValue) throws {
        guard let name = json["name"]?.string, json["source"]?.string != nil, let pieces = json["head"]?.array,
            let expect = json["expect"]
        else { throw Failure(description: "a case needs name, source, head and expect: \(json.encodedText)") }
        self.name = name
        self.bytes = try pieces.flatMap { piece in
            if let text = piece.string { return Array(text.utf8) }
            if let text = piece["text"]?.string, let times = piece["times"]?.integer {
                return Array(String(repeating: text, count: Int(times)).utf8)
            }
            guard let hex = piece["hex"]?.string else { throw Failure(description: "\(name): \(piece.encodedText)") }
            return try ConnectHeadCase.bytes(ofHex: hex)
        }
        if let target = expect["target"]?.string {
            expected = .target(target, rest: expect["rest"]?.string ?? "")
        } else if let status = expect["status"]?.integer, let says = expect["says"]?.string {
            expected = .refused(status: Int(status), says: says)
        } else if expect["incomplete"]?.bool == true {
            expected = .incomplete
        } else {
            throw Failure(description: "\(name): \(expect.encodedText)")
        }
    }

    private static func bytes(ofHex hex: String) throws -> [UInt8] {
        let digits = Array(hex)
        guard digits.count.isMultiple(of: 2) else { throw Failure(description: "\(hex) is not hexadecimal") }
        return try stride(from: 0, to: digits.count, by: 2).map { index in
            guard let byte = UInt8(String(digits[index...(index + 1)]), radix: 16) else {
                throw Failure(description: "\(hex) is not hexadecimal")
            }
            return byte
        }
    }
}
