import APNsRules
import Testing

@testable import MynahCore

/// The statuses that a rule answers to requests of one connection, 0 where it does not act.
private func statuses(
    _ rule: String, requests: Int, seed: UInt64 = 1, connection: UInt64 = 1,
    at time: (Int) -> Instant = { _ in noon }, token: (Int) -> String = { _ in Entry.aToken }
) throws -> [Int] {
    let rule = try FaultRule.made(rule)
    var counters = FaultCounters()
    return (0..<requests).map { index in
        let facts = FaultFacts.push(
            token: token(index), connection: connection, at: time(index))
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
        "connections are numbered as the rule meets them, whatever the server's numbers are",
        arguments: [
            (#"{"count":1}"#, [70]), (#"{"first":2}"#, [50, 90, 60, 80]), (#"{"every":2}"#, [70, 90, 80]),
            (#"{"first":2,"every":3}"#, [50, 80]), (#"{"first":2,"every":2,"count":1}"#, [50]),
            ("{}", [70, 50, 90, 60, 80]),
        ])
    func connections(members: String, expected: [UInt64]) throws {
        let rule = try FaultRule.made(#"{"connections":\#(members),\#(answer503)}"#)
        var counters = FaultCounters()
        var acted: [UInt64] = []
        for connection in [70, 50, 90, 60, 80] as [UInt64] + [80, 60, 90, 50, 70]
        where counters.claim(rule, for: .push(connection: connection), seed: 1) != nil {
            acted.append(connection)
        }
        #expect(acted == expected + expected.reversed())
    }

    @Test("keys are numbered as the rule meets them, and a request without one is none of theirs")
    func keys() throws {
        let rule = try FaultRule.made(#"{"keys":{"count":1},\#(answer503)}"#)
        var counters = FaultCounters()
        let acted = [nil, "TEAM000001", "TEAM000002", "TEAM000001"].map { team in
            counters.claim(rule, for: .push(team: team), seed: 1) != nil
        }
        #expect(acted == [false, true, false, true])
    }

    @Test("other connections don't use up skip, every and times")
    func connectionsFirst() throws {
        let rule = try FaultRule.made(#"{"connections":{"count":1},"skip":1,\#(answer503)}"#)
        var counters = FaultCounters()
        let acted = [1, 2, 2, 2, 1, 1].map { counters.claim(rule, for: .push(connection: $0), seed: 1) != nil }
        #expect(acted == [false, false, false, false, true, true])
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

    @Test(
        "afterPushes counts per connection, before the rest of the schedule",
        arguments: [("", [2, 5, 6]), (#""skip":1,"#, [5, 6]), (#""every":2,"#, [5]), (#""times":1,"#, [2])])
    func afterPushes(members: String, expected: [Int]) throws {
        let rule = try FaultRule.made("{\(members)" + #""action":{"type":"goaway","afterPushes":2}}"#)
        var counters = FaultCounters()
        let connections: [UInt64] = [1, 2, 1, 3, 1, 1, 2]
        let acted = connections.indices.filter { index in
            let facts = FaultFacts.push(connection: connections[index])
            return counters.claim(rule, for: facts, seed: 1) != nil
        }
        #expect(acted == expected)
        #expect(counters.fired == expected.count)
        #expect(counters.matched == connections.count)
    }

    @Test("a close that waits for silence fires only when the silence is over")
    func afterIdle() throws {
        let rule = try FaultRule.made(#"{"times":1,"action":{"type":"close","afterIdle":"1m"}}"#)
        var counters = FaultCounters()
        let times = (0..<2).map { _ in counters.claim(rule, for: .push(), seed: 1)?.action.idleTime }
        #expect(times == [.seconds(60), .seconds(60)])
        #expect(counters.fired == 0)
        let fired = (0..<2).map { _ in counters.fire(rule) }
        #expect(fired == [true, false])
        #expect(counters.fired == 1)
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

    @Test("a rule acts from activeFrom until before activeUntil")
    func times() throws {
        let rule = #"{"activeFrom":"2026-11-21T12:00:01Z","activeUntil":"2026-11-21T12:00:03Z","# + answer503 + "}"
        let found = try statuses(rule, requests: 9, at: { noon.advanced(by: .milliseconds(500 * $0)) })
        #expect(found == [0, 0, 503, 503, 503, 503, 0, 0, 0])
    }

    @Test("a rate is exceeded until the window has moved on")
    func rate() throws {
        let rule = #"{"rateOver":{"count":2,"per":"1s"},"# + answer503 + "}"
        let times = [0, 10, 20, 30, 1009, 1010, 1011, 5000]
        let found = try statuses(rule, requests: 8, at: { noon.advanced(by: .milliseconds(times[$0])) })
        // At 1009 the two before came at 20 and 30; at 1010 at 30 and 1009.
        #expect(found == [0, 0, 503, 503, 503, 503, 503, 0])
    }

    @Test("a changed rate starts counting again")
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

    @Test("a rate of 0 is exceeded by the first request")
    func zeroRate() throws {
        #expect(try statuses(#"{"rateOver":{"count":0,"per":"1s"},"# + answer503 + "}", requests: 2) == [503, 503])
    }

    @Test(
        "a rate counts by its key",
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

    @Test("the probability decides how many fire, the seed and the rule which")
    func probability() throws {
        let rule = #"{"probability":0.25,"# + answer503 + "}"
        let found = try statuses(rule, requests: 4000)
        #expect((900...1100).contains(found.count { $0 == 503 }))
        #expect(try statuses(rule, requests: 4000) == found)
        #expect(try statuses(rule, requests: 4000, seed: 2) != found)
        #expect(try statuses(rule, requests: 4000, connection: 2) == found)
        #expect(try statuses(#"{"id":"other","probability":0.25,"# + answer503 + "}", requests: 4000) != found)
    }

    @Test("the seed of a scenario takes the place of the server's")
    func ownSeed() throws {
        let text = #"{"probability":0.5,"# + answer503 + "}"
        let own = try FaultRule.made(text, seed: 7)
        func fires(_ rule: FaultRule, seed: UInt64) -> [Bool] {
            var counters = FaultCounters()
            return (1...64).map { _ in counters.claim(rule, for: .push(), seed: seed) != nil }
        }
        #expect(fires(own, seed: 1) == fires(own, seed: 2))
        #expect(fires(own, seed: 1) == fires(try FaultRule.made(text), seed: 7))
    }

    @Test("other connections don't change a connection's random choices", arguments: 0..<20 as Range<UInt64>)
    func determinism(seed: UInt64) throws {
        let rule = try FaultRule.made(
            #"{"probability":0.4,"action":{"type":"pass","delay":{"uniform":["0s","10s"]}}}"#)
        var random = SeededGenerator(seed: seed)
        // Thirty requests of each of five connections, which come first in this order.
        func lengths(_ connections: [UInt64]) -> [UInt64: [Duration?]] {
            var counters = FaultCounters()
            var found: [UInt64: [Duration?]] = [:]
            for connection in connections {
                let firing = counters.claim(rule, for: .push(connection: connection), seed: seed)
                var length: Duration?
                if let firing {
                    var random = firing.random
                    length = firing.action.delay?.duration(using: &random)
                }
                found[connection, default: []].append(length)
            }
            return found
        }
        let first = Array(1...5 as ClosedRange<UInt64>)
        let rest = first.flatMap { Array(repeating: $0, count: 29) }
        let inTurn = lengths(first + rest)
        #expect(lengths(first + rest.shuffled(using: &random)) == inTurn)
        // Other connections of the server have nothing to do with it.
        let later = lengths((first + rest.shuffled(using: &random)).map { $0 + 100 })
        #expect(first.map { later[$0 + 100] } == first.map { inTurn[$0] })
        #expect(Set(inTurn.values).count == 5)
    }

    @Test("beyond the bound the oldest connections are forgotten, and count as new later")
    func connectionBound() {
        var met = Met<UInt64>()
        func note(_ connection: UInt64) -> [UInt64] {
            let (place, request) = met.countRequest(of: connection)
            return [place, request]
        }
        for connection in 1...UInt64(Met<UInt64>.countMax) { #expect(note(connection) == [connection, 1]) }
        #expect(note(1) == [1, 2])
        let next = UInt64(Met<UInt64>.countMax) + 1
        #expect(note(next) == [next, 1])
        #expect(note(next - 1) == [next - 1, 2])
        #expect(note(1) == [next + 1, 1])
    }
}
