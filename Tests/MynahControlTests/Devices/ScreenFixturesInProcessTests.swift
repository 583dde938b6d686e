import APNsRules
import Testing

@testable import MynahCore

@Suite("What the user sees, case by case, in the test's process")
struct ScreenFixturesInProcessTests {
    /// Fewer would mean that files were lost.
    private static let casesMin = 60

    @Test("the screen is as each case says")
    func screens() async throws {
        let cases = try ScreenPlay.all()
        #expect(cases.count >= Self.casesMin)
        try await Box.withPushes { box in
            for (file, scene) in cases {
                do {
                    var play = try await ScreenPlay(scene, file: file, in: box)
                    try await play.play()
                    for member in scene["expect"]?.object ?? [] where !ScreenPlay.untold.contains(member.name) {
                        let actual = try await play.actual(member.name)
                        #expect(
                            agrees(actual, member.value, on: member.name),
                            "\(file): \(member.name) is \(actual.encodedText), \(member.value.encodedText) was expected"
                        )
                    }
                } catch {
                    Issue.record("\(file): \(error)")
                }
            }
        }
    }

    // Lists of what has many members have the same number of elements, of which the named members are compared.
    private func agrees(_ actual: JSONValue, _ expected: JSONValue, on name: String) -> Bool {
        guard ["notifications", "responses", "sounds"].contains(name), let actual = actual.array,
            let expected = expected.array
        else { return actual.isEquivalent(to: expected) }
        return actual.count == expected.count
            && zip(actual, expected).allSatisfy { actual, expected in
                (expected.object ?? []).allSatisfy { actual[$0.name]?.isEquivalent(to: $0.value) == true }
            }
    }
}
