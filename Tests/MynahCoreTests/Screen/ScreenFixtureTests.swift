import APNsRules
import Testing

@testable import MynahCore

@Suite("What the user sees, case by case")
struct ScreenFixtureTests {
    /// Fewer would mean that files were lost.
    static let casesMin = 60

    @Test("cases exist and have unique names")
    func casesAreThere() throws {
        let cases = try ScreenCase.all()
        #expect(cases.count >= Self.casesMin)
        #expect(Set(cases.map(\.name)).count == cases.count)
    }

    @Test(
        "the screen is as the case says, whether or not it is written and read in between",
        arguments: try ScreenCase.all(), [false, true])
    func screenIsAsTheCaseSays(scene: ScreenCase, restarting: Bool) throws {
        let run = try ScreenRun(scene, restarting: restarting)
        for member in scene.expected {
            let actual = try #require(
                run.actual(member.name, at: scene.endsAt), "\(scene.file) expects \(member.name), which is not there")
            #expect(
                agrees(
                    actual, member.value, isPartial: ["notifications", "responses", "sounds"].contains(member.name)),
                "\(member.name) is \(actual.encodedText), \(member.value.encodedText) was expected")
        }
        #expect(run.centre.brokenInvariants(at: scene.endsAt) == [])
    }

    // Lists have the same number of elements; of each, when partial, the named members are compared.
    private func agrees(_ actual: JSONValue, _ expected: JSONValue, isPartial: Bool) -> Bool {
        guard isPartial, let actual = actual.array, let expected = expected.array else {
            return actual.isEquivalent(to: expected)
        }
        return actual.count == expected.count
            && zip(actual, expected).allSatisfy { actual, expected in
                (expected.object ?? []).allSatisfy { member in
                    actual[member.name]?.isEquivalent(to: member.value) == true
                }
            }
    }

    @Test(
        "a malformed case is an error",
        arguments: [
            #"{"name": "n", "source": "DeviceBehaviour#What-the-user-sees", "steps": [{"push": {}}], "expect": {}}"#,
            #"{"name": "n", "source": "DeviceBehaviour#What-the-user-sees", "steps": [], "expect": {"shown": true}}"#,
            #"{"name": "n", "source": "DeviceBehaviour#Permissions", "steps": [{"psuh": {}}], "expect": {"shown": true}}"#,
            #"{"name": "n", "source": "elsewhere", "steps": [{"push": {}}], "expect": {"shown": true}}"#,
            #"{"name": "n", "source": "DeviceBehaviour#Permissions", "app": {"x": 1}, "steps": [{"push": {}}], "expect": {"shown": true}}"#,
        ])
    func malformedCaseIsAnError(text: String) throws {
        let json = try JSONValue(parsing: text)
        #expect(throws: (any Error).self) { try ScreenCase(file: "x.json", json: json) }
    }
}
