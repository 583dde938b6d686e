import APNsRules
import Testing

@testable import MynahCore

@Suite("Fault rules with regular expressions")
struct FaultPatternsTests {
    private static let conditions = [
        #""payload":{"/aps/x":{"regex":"^a+$"}}"#, #""payload":{"/aps/x":{"not":{"regex":"b"}}}"#,
        #""payload":{"/aps/x":["b",{"regex":"aa"},{"regex":"^b"}]}"#,
        #""payload":{"/aps/x":{"not":["b",{"regex":"^a"}]}}"#,
        #""payload":{"/aps/y":{"regex":"é"}}"#, #""payload":{"/aps/x":{"regex":"a"},"/aps/y":{"regex":"[^a]"}}"#,
        #""text":{"regex":"aps"}"#, #""topic":{"regex":"app$"},"payload":{"/aps/x":{"regex":"a$"}}"#,
        #""headers":{"x-a":{"regex":"a"}}"#, #""headers":{"x-a":{"not":{"regex":"b"}}}"#,
        #""priority":5,"text":{"regex":"a"}"#,
        #""payload":{"/aps/x":"a"}"#, #""collapseId":{"regex":"^c"}"#, "",
    ]
    private static let bodies = [
        #"{"aps":{"x":"a"}}"#, #"{"aps":{"x":"aab","y":"é"}}"#, #"{"aps":{"x":"b","y":"aé"}}"#, #"{"aps":{"x":3}}"#,
        #"{"aps":{"y":""}}"#, "{}", "no document",
    ]
    private static let headers: [[(String, String)]] = [
        [], [("x-a", "a")], [("x-a", "b"), ("x-a", "a")], [("apns-collapse-id", "c1"), ("apns-priority", "5")],
    ]

    @Test(
        "reading patterns ahead finds the same rules as asking each alone, in order", arguments: 0..<20 as Range<UInt64>
    )
    func found(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var set = FaultSet()
        for _ in 0..<50 {
            let index = Int.random(in: Self.conditions.indices, using: &random)
            _ = try set.add(
                [FaultDraft(#"{"match":{\#(Self.conditions[index])},"action":{"type":"pass"}}"#)], at: noon)
        }
        var sieve = FaultPrefilter(set)
        for body in Self.bodies {
            for headers in Self.headers {
                var facts = FaultFacts.push(headers: headers, body: body)
                let alone = set.rules.filter { rule in
                    rule.conditions.allSatisfy { $0.matcher.matches(anyOf: facts.values(of: $0.field)) }
                }
                let found = sieve.candidates(for: &facts).map(\.id)
                #expect(found == alone.map(\.id))
            }
        }
    }

    @Test("no rule is asked after the first one that acts")
    func first() throws {
        var set = FaultSet()
        for number in 0..<20 {
            _ = try set.add(
                [FaultDraft(#"{"id":"r\#(number)","match":{"text":{"regex":"a"}},"action":{"type":"pass"}}"#)], at: noon
            )
        }
        var sieve = FaultPrefilter(set)
        var facts = FaultFacts.push()
        var asked: [String] = []
        let firing = sieve.first(for: &facts) { rule, facts in
            asked.append(rule.id)
            var counters = FaultCounters()
            return rule.id == "r17" ? counters.claim(rule, for: facts, seed: 1) : nil
        }
        #expect(firing?.ruleID == "r17")
        #expect(asked == ["r19", "r18", "r17"])
    }
}
