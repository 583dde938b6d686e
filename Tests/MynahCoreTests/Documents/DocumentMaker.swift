import APNsRules

@testable import MynahCore

/// Makes random documents of a schema: every member may be there, be `null` or be missing, in any order.
///
/// A schema does not say which members exclude or need each other: ``accepted(_:_:)`` takes out what a reader refuses.
struct DocumentMaker {
    typealias Making = @Sendable (inout DocumentMaker) -> JSONValue

    private var random: SeededGenerator
    /// By the name of a member or of a document: what a schema does not say about its values.
    private let makings: [String: Making]

    init(seed: UInt64, _ own: [String: Making] = [:]) {
        random = SeededGenerator(seed: seed)
        makings = DocumentMaker.common.merging(own) { $1 }
    }

    /// A document of a schema as its reader takes it, and the value that it reads.
    mutating func accepted<Value>(
        _ schema: Schema, _ read: (JSONValue) throws(InputError) -> Value
    ) -> (document: JSONValue, value: Value) {
        while true {
            var document = object(schema)
            while true {
                do throws(InputError) {
                    return (document, try read(document))
                } catch {
                    guard let rest = document.removing((try? JSONPointer(error.field, at: ""))?.steps[...] ?? []) else {
                        break
                    }
                    document = rest
                }
            }
        }
    }

    mutating func object(_ schema: Schema) -> JSONValue {
        let members = schema.members.compactMap { member -> JSONMember? in
            if !member.isRequired, one(in: 2) { return nil }
            if !member.isRequired, one(in: 8) { return JSONMember(member.name, .null) }
            return JSONMember(member.name, makings[member.name]?(&self) ?? value(member.form))
        }
        return .object(shuffled(members))
    }

    mutating func value(_ form: Form, depth: Int = 3) -> JSONValue {
        switch form {
        case .any(let schema): return schema.flatMap { makings[$0] }?(&self) ?? anything(depth: depth)
        case .types(let types):
            switch pick(types) {
            case .number: return value(.number)
            case .string: return value(.anyText)
            case .object: return value(.map(of: .any()))
            }
        case .bool: return .bool(one(in: 2))
        case .integer(let range): return .number(JSONNumber(integer(in: range)))
        case .number: return number(of: ["0", "-0.0", "0.1", "-7", "1e-7", "5e-324", "1.50", "12345678901"])
        case .fraction: return number(of: ["1", "0.5", "1e-9", "5e-324"])
        case .text(let range): return .string(text(in: range))
        case .name(_, let bytesMax, let punctuation): return .string(name(bytesMax, punctuation))
        case .hexadecimal(let bytes): return .string(hexadecimal(in: bytes))
        case .choice(let names): return .string(pick(names))
        case .duration(let range):
            let least = range.lowerBound.wholeMilliseconds
            let most = range.upperBound.wholeMilliseconds
            return .duration(.milliseconds(integer(in: least...most)))
        case .time: return time()
        case .array(let form, let range):
            return .array(
                (0..<min(range.upperBound, range.lowerBound + below(4))).map { _ in value(form, depth: depth - 1) })
        case .map(let form, let countMax):
            return .object(
                (0..<below(min(countMax, 3) + 1)).map { JSONMember("\($0)" + text(), value(form, depth: depth - 1)) })
        case .object(let schema): return object(schema)
        case .nullable(let form): return one(in: 4) ? .null : value(form, depth: depth)
        case .named(_, let form), .described(let form, _): return value(form, depth: depth)
        case .either(let first, let second): return value(one(in: 2) ? first : second, depth: depth)
        }
    }

    // MARK: - Choices

    mutating func below(_ count: Int) -> Int { Int(random.number(in: 0...Int64(count - 1))) }
    mutating func one(in count: Int) -> Bool { below(count) == 0 }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    private mutating func number(of texts: [String]) -> JSONValue { .number(JSONNumber(text: pick(texts))) }

    private mutating func shuffled(_ members: [JSONMember]) -> [JSONMember] {
        var rest = members
        var all: [JSONMember] = []
        while !rest.isEmpty { all.append(rest.remove(at: below(rest.count))) }
        return all
    }

    mutating func integer(in range: ClosedRange<Int64>) -> Int64 {
        switch below(4) {
        case 0: range.lowerBound
        case 1: range.upperBound
        default: min(range.upperBound, max(range.lowerBound, Int64(below(100_000))))
        }
    }

    mutating func text(in range: ClosedRange<Int> = 0...Int.max) -> String {
        let parts = [
            "a", "B", "7", " ", "é", "e\u{301}", "\u{301}", "日", "😀", "\"", "\\", "\n", "\u{0}", "\u{7F}", "/", "~",
            "%u", ".",
        ]
        let count = min(range.upperBound, range.lowerBound + below(8))
        var text = ""
        while text.utf8.count < count {
            let part = pick(parts)
            text += text.utf8.count + part.utf8.count <= count ? part : "x"
        }
        return text
    }

    private mutating func name(_ bytesMax: Int, _ punctuation: String) -> String {
        let characters = Array("abcXYZ019" + punctuation)
        return String((0..<1 + below(min(bytesMax, 12))).map { _ in pick(characters) })
    }

    mutating func hexadecimal(in bytes: ClosedRange<Int>) -> String {
        let count = pick([bytes.lowerBound, bytes.upperBound, min(bytes.upperBound, max(bytes.lowerBound, 32))])
        return (0..<count).map { _ in pick(["00", "fF", "a7", "1C"]) }.joined()
    }

    private mutating func time() -> JSONValue {
        .string(
            pick([
                "2026-11-21T09:30:00Z", "2026-11-21T10:30:00.1239+01:00", "1969-12-31T23:59:59.999Z",
                "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2028-02-29T23:59:60-11:30",
            ]))
    }

    /// Any JSON.
    mutating func anything(depth: Int = 3) -> JSONValue {
        switch below(depth > 0 ? 8 : 5) {
        case 0: .null
        case 1: .bool(one(in: 2))
        case 2: number(of: ["0", "-1", "1.0", "1e3", "0.1", "9223372036854775807", "1e400"])
        case 3, 4: .string(text())
        case 5: .array((0..<below(3)).map { _ in anything(depth: depth - 1) })
        default:
            .object((0..<below(4)).map { _ in JSONMember(pick(["a", "b", text()]), anything(depth: depth - 1)) })
        }
    }

    // MARK: - What schemas don't say

    static let topics = ["com.example.app", "com.example.app.push-type.liveactivity", "com.example.other"]
    static let webTopic = "https://shop.example"
    /// The key of RFC 8292 §2.4.
    static let applicationServerKey =
        "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
    static let tags = ["en", "en-GB", "zh-Hant-TW", "nds"]
    static let pointers = ["/media-url", "/a~1b/0", "https://example.com/a.png"]

    private static let common: [String: Making] = [
        "topic": { .string($0.pick(topics + [webTopic])) },
        "applicationServerKey": { _ in .string(applicationServerKey) },
        "apps": { maker in .texts((0..<1 + maker.below(3)).map { _ in maker.pick(topics) }) },
        "bundleId": { _ in "com.example.app" },
        "channel": { .string($0.channel()) },
        "pushType": { maker in maker.one(in: 2) ? "token" : ["channel": .string(maker.channel())] },
        "locale": { .string($0.pick(tags)) },
        "languages": { maker in .texts((0..<maker.below(4)).map { _ in maker.pick(tags) }) },
        "developmentLanguage": { .string($0.pick(["en", "de_DE.UTF-8", "ZH-hant"])) },
        "strings": { maker in
            .object(
                tags.filter { _ in maker.one(in: 2) }.map { tag in
                    JSONMember(
                        tag, maker.one(in: 2) ? ["a": .string(maker.text())] : #""k" = "v %@"; k = "w"; /* end */"#)
                })
        },
        "model": { .string($0.pick(["iPhone 17", "iPad Air", "Mac mini", "toaster"])) },
        "times": { .texts([$0.pick(["00:00", "08:00"]), $0.pick(["23:59", "08:00"])]) },
        "attachments": { maker in .texts((0..<maker.below(3)).map { _ in maker.pick(pointers) }) },
        "sender": { .string($0.pick(pointers + ["Kim"])) },
        "count": { .whole(1 + $0.below(100)) },
    ]

    mutating func channel() -> String { ChannelID(high: 1 + UInt64(below(100)), low: UInt64(below(100))).text }
}

extension JSONValue {
    /// Without the member or element at a place, or the nearest around it that is there; `nil` for the whole.
    fileprivate func removing(_ steps: ArraySlice<String>) -> JSONValue? {
        guard let step = steps.first else { return nil }
        switch self {
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.name == step }) else { return nil }
            if let rest = members[index].value.removing(steps.dropFirst()) {
                members[index] = JSONMember(step, rest)
            } else {
                members.remove(at: index)
            }
            return .object(members)
        case .array(var elements):
            guard let index = Int(step), elements.indices.contains(index) else { return nil }
            if let rest = elements[index].removing(steps.dropFirst()) {
                elements[index] = rest
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        default: return nil
        }
    }
}

/// The members and choices of a schema that documents have, each by its place.
struct DocumentCoverage {
    /// All that a schema has.
    private(set) var all: Set<String> = []
    private(set) var seen: Set<String> = []
    var missing: [String] { all.subtracting(seen).sorted() }

    init(_ schema: Schema) { schema.members.forEach { expect($0.form, at: "/" + $0.name) } }

    private mutating func expect(_ form: Form, at place: String) {
        all.insert(place)
        switch form {
        case .choice(let names): all.formUnion(names.map { "\(place)=\($0)" })
        case .array(let form, _), .map(let form, _): expect(form, at: place + "/*")
        case .object(let schema): schema.members.forEach { expect($0.form, at: "\(place)/\($0.name)") }
        case .nullable(let form), .named(_, let form), .described(let form, _): expect(form, at: place)
        case .either(let first, let second):
            expect(first, at: place)
            expect(second, at: place)
        default: break
        }
    }

    mutating func note(_ document: JSONValue, at place: String = "") {
        seen.insert(place)
        switch document {
        case .null: seen.remove("")
        case .string(let text): seen.insert("\(place)=\(text)")
        case .array(let elements): elements.forEach { note($0, at: place + "/*") }
        case .object(let members):
            for member in members where member.value != .null {
                // A member of a schema, or of a map.
                let own = "\(place)/\(member.name)"
                note(member.value, at: all.contains(own) ? own : place + "/*")
            }
        default: break
        }
    }
}
