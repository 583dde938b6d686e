import APNsRules

@testable import MynahCore

/// What the schemas of faults and filters do not say about their values.
enum FaultDocuments {
    static let makings: [String: DocumentMaker.Making] = [
        "FaultAction": action,
        "FaultDelay": { $0.value(FaultDelay.form) },
        "FaultMatch": { match($0.pick(FaultEvent.allCases).memberNames, &$0) },
        "reason": { .string($0.pick(["Unregistered", "BadDeviceToken", "Odd", "Shutdown"])) },
        "headers": { maker in
            maker.one(in: 4) ? [:] : ["x-a": .string(maker.pick(["", "b c"])), "server": .null]
        },
        "apnsId": { .string($0.pick(["", "not an id"])) },
        "times": { .whole(2 + $0.below(9)) },
        "per": { .string($0.pick(["1ms", "24h", "1m30s"])) },
        "after": { maker in
            maker.one(in: 2) ? .string(maker.pick(["0s", "5s", "1h"])) : ["pushes": .whole(1 + maker.below(9))]
        },
        "remove": { maker in .texts((0..<maker.below(2)).map { _ in maker.pick(["a", "b"]) }) },
    ]

    private static let action: DocumentMaker.Making = { maker in
        let type = maker.pick(FaultActionType.allCases)
        return .object([JSONMember("type", .string(type.rawValue))] + (maker.object(type.schema).object ?? []))
    }

    /// A `match` object with some of these members.
    static func match(_ names: [String], _ maker: inout DocumentMaker) -> JSONValue {
        .object(
            names.filter { _ in maker.one(in: 5) }.map { name in
                switch name {
                case "event": JSONMember(name, .string(maker.pick(FaultEvent.allCases).rawValue))
                case "payload": JSONMember(name, fields(["/aps/badge", "", "/a~1b", "/\u{301}"], &maker))
                case "screen": JSONMember(name, fields(["/title", "/badge", ""], &maker))
                case "webPush": JSONMember(name, fields(["/ttl", "/claims/sub", ""], &maker))
                case "headers": JSONMember(name, fields(["apns-topic", "user-agent"], &maker))
                case "payloadIncludes": JSONMember(name, ["aps": maker.anything()])
                default: JSONMember(name, matcher(FilterKey(rawValue: name), &maker))
                }
            })
    }

    private static func fields(_ names: [String], _ maker: inout DocumentMaker) -> JSONValue {
        .object((0..<1 + maker.below(3)).map { _ in JSONMember(maker.pick(names), matcher(nil, &maker)) })
    }

    private static func matcher(_ key: FilterKey?, _ maker: inout DocumentMaker, depth: Int = 2) -> JSONValue {
        guard depth > 0 else { return operand(key, &maker) }
        return switch maker.below(9) {
        case 0: .array((0..<1 + maker.below(3)).map { _ in matcher(key, &maker, depth: depth - 1) })
        case 1: ["not": matcher(key, &maker, depth: depth - 1)]
        case 2: ["prefix": operand(key, &maker)]
        case 3: ["contains": operand(key, &maker)]
        case 4: ["regex": .string(maker.pick(["^a+b?$", #"\d{2}"#]))]
        case 5: [maker.pick(["gte", "lte"]): operand(key, &maker)]
        case 6: ["exists": .bool(maker.one(in: 2))]
        case 7: .null
        default: operand(key, &maker)
        }
    }

    private static func operand(_ key: FilterKey?, _ maker: inout DocumentMaker) -> JSONValue {
        guard let key else {
            return maker.pick([.string(maker.text()), 5, true, "1.0", .number(JSONNumber(text: "1.50"))])
        }
        let text = value(of: key, &maker)
        return switch key.kind {
        case .whole: .whole(Int64(text))
        case .truth: .bool(text == "true")
        case .text, .time: .string(text)
        }
    }

    /// A value of a key as a URL has it.
    private static func value(of key: FilterKey, _ maker: inout DocumentMaker) -> String {
        switch (key, key.kind) {
        case (.token, _): maker.hexadecimal(in: 1...32)
        case (.scope, _): maker.pick(["t1", "t2"])
        case (.device, _): maker.pick(["kim", "lees-pad"])
        case (.apnsId, _), (.uniqueId, _): "07C0F2E2-7CE0-71EC-D0D6-E7089220F77\(maker.below(10))"
        case (.text, _): "a" + maker.text()
        case (.topic, _): maker.pick(["a", "com.example.app", "https://shop.example"])
        case (.channel, _): maker.pick(["tvI2UK0vEfEAAA6GFnjo2Q==", "a"])
        case (.team, _), (.keyId, _): maker.pick(["TEAM123456", "ABC123DEFG"])
        case (.status, _): "\(200 + maker.below(400))"
        case (.until, _): maker.pick(["2026-11-21T09:30:00Z", "2026-11-21T11:30:00.5+01:00"])
        case (.fault, _): maker.pick(["none", "f-1"])
        case (_, .whole): key.values.map { maker.pick($0) } ?? "\(1 + maker.below(500))"
        case (_, .truth): maker.pick(["true", "false"])
        case (_, .time): maker.pick(["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.5+01:00"])
        case (_, .text): key.values.map { maker.pick($0) } ?? maker.text()
        }
    }

    /// Filters of pushes in a URL.
    static func parameters(_ maker: inout DocumentMaker) -> [(name: String, value: String)] {
        (0..<maker.below(5)).map { _ in
            let name = maker.one(in: 3) ? "!" : ""
            switch maker.below(4) {
            case 0:
                let place = maker.pick(["payload./aps/badge", "payload./aps", "screen./title", "payload./a~1b"])
                return (name + place, maker.pick(["5", "1.0", "true", "null", "hi", #""a""#, maker.text()]))
            case 1: return ("q", maker.pick(["hi", #"-"a b""#, "payload:/aps/badge:5", "-topic:x", "text:a text:b"]))
            default:
                let key = maker.pick(FilterKey.allCases)
                return (name + key.rawValue, value(of: key, &maker))
            }
        }
    }
}
