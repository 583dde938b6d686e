import APNsRules
import Foundation
import MynahCore
import Testing

@testable import MynahCLI

/// The shipped scenarios, and the conversion of YAML to the control API's JSON.
@Suite("Scenarios in YAML")
struct ScenarioFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "fixtures/scenarios")

    private static func names() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        try #require(names.count >= 8)
        return names
    }

    private func scenario(_ name: String) throws -> Scenario {
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        return try Scenario(json: LocatedDocument(text, path: name).value)
    }

    @Test("a shipped scenario is valid, has its file's name, and describes a good provider")
    func shipped() throws {
        for name in try Self.names() {
            let scenario = try scenario(name)
            #expect(scenario.name + ".yaml" == name)
            let description = scenario.description ?? ""
            #expect(description.contains("good provider"), "\(name)")
            #expect(description.count > 200, "\(name)")
            #expect(try Scenario(json: scenario.json) == scenario, "\(name)")
        }
    }

    @Test("the program has the scenarios of all files")
    func embedded() throws {
        let names = try Self.names().map { String($0.dropLast(".yaml".count)) }
        #expect(ShippedScenarios.names == names)
        for name in names {
            let file = try scenario(name + ".yaml")
            #expect(ShippedScenarios.named(name) == file, "the program has another \(name) than fixtures/scenarios")
            #expect(try ShippedScenarios.scenario(json: ["name": .string(name)]) == file)
        }
    }

    @Test("a shipped scenario takes another seed, and an unknown name is refused with all names")
    func byName() throws {
        let seeded = try ShippedScenarios.scenario(json: ["name": "token-purge-day", "seed": 5])
        #expect(seeded.seed == 5)
        #expect(seeded.steps == ShippedScenarios.named("token-purge-day")?.steps)
        let error = #expect(throws: InputError.self) {
            try ShippedScenarios.scenario(json: ["name": "token-purge-dya"])
        }
        #expect(error?.field == "/name")
        #expect(error?.allowed == ShippedScenarios.names)
    }

    @Test("a shipped scenario runs to its end, and adds and removes its rules")
    func runs() throws {
        for name in try Self.names() {
            let scenario = try scenario(name)
            var run = ScenarioRun(scenario)
            var set = FaultSet()
            for step in run.due(elapsed: Scenario.afterMax, pushes: Scenario.pushesMax) {
                for id in step.remove { #expect(set.remove(id) != nil, "\(name): \(id)") }
                let added = try set.add(step.add, at: Instant(seconds: 0), seed: scenario.seed)
                #expect(added.allSatisfy { $0.seed == scenario.seed })
            }
            #expect(run.isDone, "\(name)")
        }
    }

    @Test("a rule with a probability has the scenario's seed, so that runs are reproducible")
    func seeds() throws {
        for name in try Self.names() {
            let scenario = try scenario(name)
            let rules = scenario.steps.flatMap(\.add).map(\.rule.schedule)
            let hasChances = rules.contains { schedule in
                schedule.probability < 1
                    || schedule.actions.contains { action in
                        if case .fixed? = action.delay?.length { false } else { action.delay != nil }
                    }
            }
            #expect((scenario.seed != nil) == hasChances, "\(name)")
        }
    }

    @Test(
        "YAML scalars have the types of JSON",
        arguments: [
            ("a: 5", #"{"a":5}"#), ("a: '5'", #"{"a":"5"}"#), ("a: 1.50", #"{"a":1.50}"#), ("a: 5s", #"{"a":"5s"}"#),
            ("a: yes", #"{"a":"yes"}"#), ("a: true", #"{"a":true}"#), ("a: ~", #"{"a":null}"#), ("a:", #"{"a":null}"#),
            ("a: 'null'", #"{"a":"null"}"#), ("[1, {b: 0x10}]", #"[1,{"b":16}]"#),
            (#"{"a": ["b"]}"#, #"{"a":["b"]}"#),
            ("a: 2026-11-21T09:30:00Z", #"{"a":"2026-11-21T09:30:00Z"}"#), ("a: >-\n  b\n  c\n", #"{"a":"b c"}"#),
        ])
    func scalars(yaml: String, json: String) throws {
        #expect(try LocatedDocument(yaml, path: "x.yaml").value.encodedText == json)
    }

    @Test("an error in the JSON has its line in the file")
    func lines() throws {
        let text = "name: s\nsteps:\n  - add:\n      - action:\n          type: stal\n"
        let document = try LocatedDocument(text, path: "x.yaml")
        let error = #expect(throws: InputError.self) { try Scenario(json: document.value) }
        #expect(error?.field == "/steps/0/add/0/action/type")
        #expect(document.line(of: error?.field ?? "") == 5)
        #expect(document.line(of: "/steps/0/add/0/nothing") == 4)
        #expect(document.line(of: "") == 1)
    }

    @Test("malformed YAML is refused with the file's name")
    func noYAML() {
        for text in ["a: [1\n", "a: 1\na: 2\n"] {
            let failure = #expect(throws: CommandFailure.self) { try LocatedDocument(text, path: "x.yaml") }
            #expect(failure?.message.hasPrefix("x.yaml:") == true)
        }
    }
}
