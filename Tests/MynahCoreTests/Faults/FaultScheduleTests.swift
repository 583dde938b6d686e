import APNsRules
import MynahCore
import Testing

/// The statuses that a rule answers to requests of one connection, 0 where it does not act.
private func statuses(
    _ rule: String, requests: Int, seed: UInt64 = 1, connection: UInt64 = 1,
    at time: (Int) -> Instant = { _ in noon }, token: (Int) -> String = { _ in Entry.aToken }
) throws -> [Int] {
    let rule = try FaultRule.made(rule)
    var counters = FaultCounters()
    return (0..<requests).map { index in
        let facts = FaultFacts.push(
            token: token(index), connection: connection, ordinal: UInt64(index + 1), at: time(index))
        guard let firing = counters.claim(rule, for: facts, seed: seed) else { return 0 }
        guard case .respond(let response) = firing.action.kind else { return -1 }
        return response.status
    }
}

private let answer503 = #""action":{"type":"respond","status":503}"#
private let three =
    #""actions":[{"type":"respond","status":500},{"type":"respond","status":503},{"type":"respond","status":410}]"#

@Suite("When a fault rule acts")
struct FaultScheduleTests {
    @Test(
        "skip, every and times",
        arguments: [
            ("", [503, 503, 503, 503, 503, 503, 503]),
            (#""skip":3,"#, [0, 0, 0, 503, 503, 503, 503]),
            (#""every":3,"#, [0, 0, 503, 0, 0, 503, 0]),
            (#""times":2,"#, [503, 503, 0, 0, 0, 0, 0]),
            (#""skip":1,"every":2,"times":2,"#, [0, 0, 503, 0, 503, 0, 0]),
        ])
    func counting(members: String, expected: [Int]) throws {
        #expect(try statuses("{\(members)\(answer503)}", requests: 7) == expected)
    }

    @Test(
        "a list of actions, one for each firing, and what follows it",
        arguments: [
            (#""then":"pass","#, [500, 503, 410, 0, 0, 0, 0]), ("", [500, 503, 410, 0, 0, 0, 0]),
            (#""then":"repeat","#, [500, 503, 410, 500, 503, 410, 500]),
            (#""then":"last","#, [500, 503, 410, 410, 410, 410, 410]),
            (#""then":"repeat","times":5,"#, [500, 503, 410, 500, 503, 0, 0]),
            (#""then":"pass","times":2,"#, [500, 503, 0, 0, 0, 0, 0]),
            (#""then":"last","every":2,"#, [0, 500, 0, 503, 0, 410, 0]),
        ])
    func sequences(members: String, expected: [Int]) throws {
        #expect(try statuses("{\(members)\(three)}", requests: 7) == expected)
    }

    @Test("counters say what matched, what fired and what is left")
    func counters() throws {
        let rule = try FaultRule.made(#"{"skip":1,"times":3,"# + answer503 + "}")
        var counters = FaultCounters()
        #expect(counters.remaining(of: rule.schedule) == 3)
        for _ in 0..<3 { _ = counters.claim(rule, for: .push(), seed: 1) }
        #expect((counters.matched, counters.fired) == (3, 2))
        #expect(counters.remaining(of: rule.schedule) == 1)
        let list = try FaultRule.made("{\"times\":7,\(three)}")
        #expect(FaultCounters().remaining(of: list.schedule) == 3)
        #expect(FaultCounters().remaining(of: try FaultRule.made("{\(answer503)}").schedule) == nil)
    }

    @Test("a rule acts from its first moment on, and at its last no more")
    func times() throws {
        let rule = #"{"activeFrom":"2026-11-21T12:00:01Z","activeUntil":"2026-11-21T12:00:03Z","# + answer503 + "}"
        let found = try statuses(rule, requests: 9, at: { noon.advanced(by: .milliseconds(500 * $0)) })
        #expect(found == [0, 0, 503, 503, 503, 503, 0, 0, 0])
    }

    @Test("above a rate, and below it again when the window has moved on")
    func rate() throws {
        let rule = #"{"rateOver":{"count":2,"per":"1s"},"# + answer503 + "}"
        let times = [0, 10, 20, 30, 1009, 1010, 1011, 5000]
        let found = try statuses(rule, requests: 8, at: { noon.advanced(by: .milliseconds(times[$0])) })
        // At 1009 the two before came at 20 and 30; at 1010 at 30 and 1009.
        #expect(found == [0, 0, 503, 503, 503, 503, 503, 0])
    }

    @Test("a rate that is changed while it counts begins anew")
    func changedRate() throws {
        var counters = FaultCounters()
        func fires(_ count: Int) throws -> [Bool] {
            let rule = try FaultRule.made(#"{"rateOver":{"count":\#(count),"per":"1s"},"# + answer503 + "}")
            return (0..<4).map { _ in counters.claim(rule, for: .push(), seed: 1) != nil }
        }
        #expect(try fires(3) == [false, false, false, true])
        #expect(try fires(1) == [false, true, true, true])
        #expect(try fires(2) == [false, false, true, true])
    }

    @Test("a rate of nothing is exceeded by the first request")
    func zeroRate() throws {
        #expect(try statuses(#"{"rateOver":{"count":0,"per":"1s"},"# + answer503 + "}", requests: 2) == [503, 503])
    }

    @Test(
        "a rate counts what belongs together",
        arguments: [
            ("token", [0, 0, 503, 503]), ("topic", [0, 503, 503, 503]), ("connection", [0, 503, 503, 503]),
            ("all", [0, 503, 503, 503]),
        ])
    func rateKeys(by: String, expected: [Int]) throws {
        let rule = #"{"rateOver":{"count":1,"per":"1s","by":"\#(by)"},"# + answer503 + "}"
        let found = try statuses(rule, requests: 4, token: { $0 % 2 == 0 ? Entry.aToken : Entry.anotherToken })
        #expect(found == expected)
    }

    @Test("skip and times count only what is above the rate")
    func rateFirst() throws {
        let rule = #"{"rateOver":{"count":2,"per":"1s"},"skip":1,"times":2,"# + answer503 + "}"
        #expect(try statuses(rule, requests: 7) == [0, 0, 0, 503, 503, 0, 0])
    }

    @Test("about as many as the probability says, others for another seed, connection or rule")
    func probability() throws {
        let rule = #"{"probability":0.25,"# + answer503 + "}"
        let found = try statuses(rule, requests: 4000)
        #expect((900...1100).contains(found.count { $0 == 503 }))
        #expect(try statuses(rule, requests: 4000) == found)
        #expect(try statuses(rule, requests: 4000, seed: 2) != found)
        #expect(try statuses(rule, requests: 4000, connection: 2) != found)
        #expect(try statuses(#"{"id":"other","probability":0.25,"# + answer503 + "}", requests: 4000) != found)
    }

    @Test("the seed of a scenario takes the place of the server's")
    func ownSeed() throws {
        let text = #"{"probability":0.5,"# + answer503 + "}"
        let own = try FaultRule.made(text, seed: 7)
        func fires(_ rule: FaultRule, seed: UInt64) -> [Bool] {
            var counters = FaultCounters()
            return (1...64).map { counters.claim(rule, for: .push(ordinal: $0), seed: seed) != nil }
        }
        #expect(fires(own, seed: 1) == fires(own, seed: 2))
        #expect(fires(own, seed: 1) == fires(try FaultRule.made(text), seed: 7))
    }

    @Test("what other connections do changes no connection's dice", arguments: 0..<20 as Range<UInt64>)
    func determinism(seed: UInt64) throws {
        let rule = try FaultRule.made(
            #"{"probability":0.4,"action":{"type":"pass","delay":{"uniform":["0s","10s"]}}}"#)
        var random = SeededGenerator(seed: seed)
        // The requests of five connections, alone and in any order among each other.
        func lengths(_ requests: [(connection: UInt64, ordinal: UInt64)]) -> [UInt64: [Duration?]] {
            var counters = FaultCounters()
            var found: [UInt64: [Duration?]] = [:]
            for (connection, ordinal) in requests {
                let firing = counters.claim(rule, for: .push(connection: connection, ordinal: ordinal), seed: seed)
                var length: Duration?
                if let firing {
                    var random = firing.random
                    length = firing.action.delay?.duration(using: &random)
                }
                found[connection, default: []].append(length)
            }
            return found
        }
        var waiting = (1...5).map { connection in (connection: UInt64(connection), next: UInt64(1)) }
        var mixed: [(connection: UInt64, ordinal: UInt64)] = []
        while !waiting.isEmpty {
            let place = Int.random(in: waiting.indices, using: &random)
            mixed.append((waiting[place].connection, waiting[place].next))
            waiting[place].next += 1
            if waiting[place].next > 30 { waiting.remove(at: place) }
        }
        let together = lengths(mixed)
        for connection in 1...5 as ClosedRange<UInt64> {
            let alone = lengths((1...30).map { (connection, $0) })
            #expect(alone[connection] == together[connection])
        }
    }
}

@Suite("How long an answer is held back")
struct FaultDelayTests {
    private func lengths(_ delay: String) throws -> [Int64] {
        let rule = try FaultRule.made("{\"action\":{\"type\":\"pass\",\"delay\":\(delay)}}")
        let delay = try #require(rule.schedule.actions[0].delay)
        var random = SeededGenerator(seed: 5)
        return (0..<2000).map { _ in delay.duration(using: &random).wholeMilliseconds }
    }

    @Test("fixed, uniform and normal lengths")
    func distributions() throws {
        #expect(Set(try lengths(#""250ms""#)) == [250])
        let uniform = try lengths(#"{"uniform":["100ms","200ms"]}"#)
        #expect((uniform.min(), uniform.max()) == (100, 200))
        let normal = try lengths(#"{"normal":["1s","100ms"]}"#)
        #expect((990...1010).contains(normal.reduce(0, +) / 2000))
        #expect((1250...1450).contains(normal.count { (900...1100).contains($0) }))
        #expect(try lengths(#"{"normal":["0s","100ms"]}"#).min() == 0)
    }
}
