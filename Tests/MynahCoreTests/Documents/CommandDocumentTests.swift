import APNsRules
import Foundation
import Testing

@testable import MynahCore

/// What a call carries is written as the call's own document, from which the same value is read again.
@Suite("Documents of what calls carry")
struct CommandDocumentTests {
    private static let documentCount = 200

    @Test("a device is read from its document as it was")
    func device() throws {
        try check(DeviceSpecification.schema, read: Self.device, json: \.json)
    }

    @Test("a change of a device is read from its document as it was, with what it leaves alone")
    func devicePatch() throws {
        try check(DevicePatch.schema, read: { json throws(InputError) in try DevicePatch(json: json) }, json: \.json)
    }

    @Test("an app is read from its document as it was")
    func registration() throws {
        try check(RegistrationSpecification.schema, read: Self.registration, json: \.json)
    }

    @Test("a change of an app is read from its document as it was, with what it leaves alone")
    func appPatch() throws {
        try check(AppPatch.schema, read: { json throws(InputError) in try AppPatch(json: json) }, json: \.json)
    }

    @Test("the settings of a device and of an app are read from the members of an answer as they were")
    func settings() throws {
        func screen(_ json: JSONValue) throws(InputError) -> ScreenSettings {
            var screen = ScreenSettings()
            try screen.apply(json)
            return screen
        }
        try check(
            ScreenSettings.fields.changing, read: screen,
            json: { .object(ScreenSettings.fields.members(of: $0)) })
        func app(_ json: JSONValue) throws(InputError) -> AppPresentation {
            var app = AppPresentation()
            try app.apply(json)
            // What was unusual about a strings file is told once.
            app.localization.tables = app.localization.tables.mapValues { StringsFile(strings: $0.strings) }
            return app
        }
        try check(
            AppPresentation.fields.changing, read: app, json: { .object(AppPresentation.fields.members(of: $0)) })
    }

    @Test("a Live Activity to start is read from its document as it was")
    func activity() throws {
        try check(
            ActivitySpecification.schema, read: { json throws(InputError) in try ActivitySpecification(json: json) },
            json: \.json)
    }

    @Test("a change of a Live Activity is read from its document as it was, with what it leaves alone")
    func activityPatch() throws {
        try check(
            ActivityPatch.schema, read: { json throws(InputError) in try ActivityPatch(json: json) }, json: \.json)
    }

    @Test("a Live Activity of an export is read from its document as it was")
    func exportedActivity() throws {
        try check(
            LiveActivity.schema, Self.ids,
            read: { json throws(InputError) in
                try LiveActivity(json: json, tokenByteCounts: DeviceToken.anyByteCounts)
            }, json: \.json)
    }

    @Test("a channel and a subscription are read from their documents as they were")
    func channel() throws {
        try check(
            ChannelSpecification.schema, ["id": { .string($0.channel()) }],
            read: { json throws(InputError) in try ChannelSpecification(json: json) }, json: \.json)
        try check(
            SubscriptionSpecification.schema,
            read: { json throws(InputError) in try SubscriptionSpecification(json: json) }, json: \.json)
    }

    @Test("a change of a screen is read from its document as it was")
    func screenPatch() throws {
        try check(ScreenPatch.schema, read: { json throws(InputError) in try ScreenPatch(json: json) }, json: \.json)
    }

    @Test("a fault rule is read from its document as it was")
    func fault() throws {
        try check(
            FaultDraft.schema, FaultDocuments.makings,
            read: { json throws(InputError) in try FaultDraft(json: json) }, json: \.json)
    }

    @Test("an action of each type is read from its document as it was", arguments: FaultActionType.allCases)
    func action(of type: FaultActionType) throws {
        try check(
            [Member("type", .choice([type.rawValue]), isRequired: true)] + type.schema, FaultDocuments.makings,
            read: { json throws(InputError) in try FaultAction(json: json, at: "") }, json: \.json)
    }

    @Test("a scenario is read from its document as it was")
    func scenario() throws {
        let makings: [String: DocumentMaker.Making] = [
            "FaultSpecification": { $0.accepted(FaultDraft.schema, Self.fault).document },
            "id": { .string($0.pick(["a", "b"])) }, "name": { _ in "outage" },
        ]
        try check(
            Scenario.schema, FaultDocuments.makings.merging(makings) { $1 }, count: 100,
            read: { json throws(InputError) in try Scenario(json: json) }, json: \.json)
        for name in ShippedScenarios.names {
            let scenario = try #require(ShippedScenarios.named(name))
            try expectSame(scenario, { json throws(InputError) in try Scenario(json: json) }, \.json)
        }
    }

    @Test("each preset of a fault is read from its document as it was", arguments: FaultPreset.names)
    func preset(_ name: String) throws {
        try expectSame(try FaultDraft(json: FaultPreset.parse([name])), Self.fault, \.json)
    }

    // MARK: - Filters

    @Test("a filter of a URL is read from its document as it was")
    func parameterFilters() throws {
        var maker = DocumentMaker(seed: 1)
        for _ in 0..<Self.documentCount {
            try check(&maker, DeviceFilterKey.self) { key, maker in
                switch key {
                case .own(.token): maker.hexadecimal(in: DeviceToken.anyByteCounts)
                case .own(.environment): maker.pick(APNsEnvironment.allCases).rawValue
                case .own(.named): maker.pick(["true", "false"])
                case .own(.scope): maker.pick(["", "t1"])
                case .own(.device), .own(.fleet): maker.pick(["kim", "fleet-00001"])
                case .own(.topic): maker.pick(["a", "com.example.app"])
                case .member(let name):
                    switch DeviceProfile.fields[name]?.member.form {
                    case .choice(let names)?: maker.pick(names)
                    case .bool?: maker.pick(["true", "false"])
                    default: maker.pick(["", "kim"])
                    }
                }
            }
            try check(&maker, FaultFilterKey.self) { key, maker in
                switch key {
                case .enabled, .fired: maker.pick(["true", "false"])
                case .event: maker.pick(FaultEvent.allCases).rawValue
                case .action: maker.pick(FaultActionType.allCases).rawValue
                case .scope: maker.pick(["", "t1"])
                case .fault: maker.pick(["f-1", "busy@t1"])
                case .name: maker.text()
                }
            }
            try check(&maker, ActivityFilterKey.self) { key, maker in
                key == .channel ? maker.pick(["", "tvI2UK0vEfEAAA6GFnjo2Q=="]) : maker.text()
            }
            try check(&maker, ScreenFilterKey.self) { key, maker in
                key == .topic ? maker.pick(["a", "com.example.app"]) : maker.text()
            }
        }
    }

    @Test(
        "a document that is no filter of a URL is refused",
        arguments: [
            ("[]", "", "expected an object"), (#"{"tpoic": ["x"]}"#, "/tpoic", "topic"),
            (#"{"topic": "x"}"#, "/topic", "expected an array"), (#"{"topic": []}"#, "/topic", "1"),
            (#"{"!power": ["odd"]}"#, "/!power", "low"), (#"{"topic": ["a"], "topic": ["b"]}"#, "/topic", "twice"),
        ])
    func noParameterFilter(_ document: String, field: String, problem: String) throws {
        let error = #expect(throws: InputError.self) { try DeviceFilter(json: JSONValue(parsing: document)) }
        #expect(error?.field == field)
        #expect(error?.problem.contains(problem) == true, "\(String(describing: error))")
    }

    @Test("a filter of pushes is read from its document as it was, whichever way it was written")
    func filter() throws {
        var maker = DocumentMaker(seed: 3)
        var fields: Set<String> = []
        func expect(_ filter: Filter) throws {
            try expectSame(filter, { json throws(InputError) in try Filter(json: json, at: "") }, \.json)
            fields.formUnion((filter.json.object ?? []).map(\.name))
        }
        for _ in 0..<Self.documentCount {
            let match = FaultDocuments.match(Filter.memberNames, &maker)
            var own = DocumentMaker(seed: UInt64(maker.below(1_000_000)), ["match": { _ in match }])
            let read = own.accepted([Member("match", .any(), isRequired: true)]) { json throws(InputError) in
                try Filter(json: json["match"] ?? .null)
            }
            try expect(read.value)
            // Conditions that exclude each other are no filter.
            if let filter = try? Filter(parameters: FaultDocuments.parameters(&maker)) { try expect(filter) }
        }
        #expect(fields == Set(Filter.memberNames))
        try expect(try Filter(line: #"hi -"a b" payload:/aps/badge:5 screen:/title:true -topic:x payload:/a:1.0"#))
    }

    // MARK: - Fixtures

    @Test("each document of the fixtures is read from what is written of it as it was")
    func fixtures() throws {
        var counts: [String: Int] = [:]
        func expect<Value: Equatable>(
            _ name: String, _ json: JSONValue?, _ read: (JSONValue) throws(InputError) -> Value,
            _ written: (Value) -> JSONValue
        ) throws {
            // Those that are there to be refused.
            guard let json, let value = try? read(json) else { return }
            try expectSame(value, read, written)
            counts[name, default: 0] += 1
        }
        for script in try DeviceScript.all() {
            for device in script.json["devices"]?.array ?? [] { try expect("devices", device, Self.device, \.json) }
            for step in script.json["steps"]?.array ?? [] {
                try expect("create", step["create"], Self.device, \.json)
                try expect("register", step["register"], Self.registration, \.json)
                try expect(
                    "start", step["start"], { json throws(InputError) in try ActivitySpecification(json: json) }, \.json
                )
                try expect("patch", step["patch"], { json throws(InputError) in try ActivityPatch(json: json) }, \.json)
                try expect("app", step["app"], { json throws(InputError) in try AppPatch(json: json) }, \.json)
            }
        }
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures/screen")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".json") {
            let json = try JSONValue(parsing: Array(Data(contentsOf: folder.appending(path: file))))
            let steps = json["steps"]?.array ?? []
            for app in [json["app"]] + (json["apps"]?.object ?? []).map(\.value) + steps.map({ $0["set"] }) {
                try expect("screen app", app, { json throws(InputError) in try AppPatch(json: json) }, \.json)
            }
            for device in [json["device"]] + steps.map({ $0["device"] }) {
                try expect("screen device", device, { json throws(InputError) in try DevicePatch(json: json) }, \.json)
            }
        }
        let names = ["app", "create", "devices", "patch", "register", "screen app", "screen device", "start"]
        #expect(counts.keys.sorted() == names)
    }

    // MARK: - Helpers

    private static let ids: [String: DocumentMaker.Making] = ["id": { .string("\(1 + $0.below(1000))") }]

    private static func device(_ json: JSONValue) throws(InputError) -> DeviceSpecification {
        try DeviceSpecification(json: json, tokenByteCounts: DeviceToken.anyByteCounts)
    }

    private static func registration(_ json: JSONValue) throws(InputError) -> RegistrationSpecification {
        try RegistrationSpecification(json: json, tokenByteCounts: DeviceToken.anyByteCounts)
    }

    private static func fault(_ json: JSONValue) throws(InputError) -> FaultDraft { try FaultDraft(json: json) }

    /// Random documents with all members and choices of a schema are read as equal values again.
    private func check<Value: Equatable>(
        _ schema: Schema, _ makings: [String: DocumentMaker.Making] = [:], count: Int = documentCount,
        read: (JSONValue) throws(InputError) -> Value, json: (Value) -> JSONValue
    ) throws {
        let parts: [String: DocumentMaker.Making] = [
            "RegistrationSpecification": { $0.accepted(RegistrationSpecification.schema, Self.registration).document },
            "LiveActivity": {
                var activities = DocumentMaker(seed: UInt64($0.below(1_000_000)), Self.ids)
                return activities.object(LiveActivity.schema)
            },
        ]
        var maker = DocumentMaker(seed: 5, parts.merging(makings) { $1 })
        var coverage = DocumentCoverage(schema)
        var made = 0
        // What is rare gets its turn, too.
        while made < count || made < 20 * count && !coverage.missing.isEmpty {
            let (document, value) = maker.accepted(schema, read)
            coverage.note(document)
            try expectSame(value, read, json)
            made += 1
        }
        #expect(coverage.missing == [])
    }

    private func check<Key: ParameterKey>(
        _ maker: inout DocumentMaker, _: Key.Type, _ value: (Key, inout DocumentMaker) -> String
    ) throws {
        let parameters = (0..<maker.below(5)).map { _ in
            let key = maker.pick(Array(Key.allCases))
            return (name: (maker.one(in: 3) ? "!" : "") + key.rawValue, value: value(key, &maker))
        }
        // What is wanted and refused is no filter.
        guard let filter = try? ParameterFilter<Key>(parameters: parameters) else { return }
        try expectSame(
            filter,
            { json throws(InputError) in try ParameterFilter<Key>(json: json) }, \.json)
    }

    /// A value is read from its document as it was, also by way of bytes, and written in the same way again.
    private func expectSame<Value: Equatable>(
        _ value: Value, _ read: (JSONValue) throws(InputError) -> Value, _ json: (Value) -> JSONValue
    ) throws {
        let document = json(value)
        let bytes = document.encoded
        let again = try read(try JSONValue(parsing: bytes))
        #expect(again == value, "\(document.encodedText)")
        #expect(json(again).encoded == bytes)
    }
}
