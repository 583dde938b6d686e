import APNsRules
import Logging
import Mynah
import MynahCore
import MynahTestSupport
import Testing

@testable import MynahControl

/// `wait` and `count`.
@Suite("Waiting")
struct WaitingTests {
    @Test("a wait that is already met is answered at once, and the connection stays open")
    func thereAlready() async throws {
        try await Box.with { box in
            box.push()
            let answer = try await box.http.call("GET", "/v1/notifications?wait=60s")
            #expect(try answer.json()["timedOut"] == false)
            #expect(answer.headers["connection"].isEmpty)
        }
    }

    @Test("a waiting call returns at the n-th match")
    func nthPush() async throws {
        try await Box.with(logLevel: .debug) { box in
            let call = try await box.http.open("GET", "/v1/notifications?topic=wanted&wait=60s&count=3")
            await box.log.wait(for: "a control call waits")
            for topic in ["wanted", "other", "wanted", "other", "wanted"] { box.push(topic: topic) }
            let list = try await call.answer().json()
            #expect(list["timedOut"] == false)
            #expect(list["matched"] == 3)
            #expect(list["items"]?.array?.compactMap { $0["sequence"]?.integer } == [1, 3, 5])
        }
    }

    @Test("a call that waited before each push has it in its answer")
    func eachWakes() async throws {
        try await Box.with(logLevel: .debug) { box in
            for number in 1...5 {
                let call = try await box.http.open("GET", "/v1/notifications?after=\(number - 1)&wait=60s")
                await box.log.wait(for: "a control call waits")
                box.push()
                #expect(try await call.answer().json()["items"]?.array?.first?["sequence"]?.integer == Int64(number))
            }
        }
    }

    @Test("a hundred waiting calls all return")
    func manyWaiters() async throws {
        try await Box.with { box in
            try await withThrowingTaskGroup(of: Int64?.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await box.http.call("GET", "/v1/notifications?wait=60s&count=2").json()["matched"]?.integer
                    }
                }
                box.push()
                box.push()
                for try await matched in group { #expect(matched == 2) }
            }
        }
    }

    @Test("after the time the answer is 200 with timedOut and the present items")
    func timedOut() async throws {
        try await Box.with { box in
            box.push()
            var waited: HTTPCaller.Answer?
            let time = try await ContinuousClock().measure {
                waited = try await box.http.call("GET", "/v1/notifications?wait=50ms&count=2")
            }
            #expect(time >= .milliseconds(50))
            let answer = try #require(waited)
            #expect(answer.status == 200)
            #expect(answer.headers["connection"] == ["close"])
            let list = try answer.json()
            #expect(list["timedOut"] == true)
            #expect(list["matched"] == 1)
            #expect(list["items"]?.array?.count == 1)
        }
    }

    @Test("pushes that don't match don't prolong a wait")
    func busyAndOver() async throws {
        try await Box.with { box in
            let list = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while !Task.isCancelled {
                        box.push(topic: "other")
                        await Task.yield()
                    }
                }
                let list = try await box.http.call("GET", "/v1/notifications?topic=wanted&wait=100ms").json()
                group.cancelAll()
                return list
            }
            #expect(list["timedOut"] == true)
        }
    }

    @Test("a wait ends when its caller leaves", arguments: ["GET", "POST"])
    func callerGoes(method: String) async throws {
        try await Box.with(logLevel: .debug) { box in
            let call =
                method == "GET"
                ? try await box.http.open("GET", "/v1/notifications?wait=60s")
                : try await box.http.open("POST", "/v1/expectations", #"{"within":"\#(Patience.text)"}"#)
            await box.log.wait(for: "a control call waits")
            try await call.hangUp()
            await box.log.wait(for: "waiting control call left")
        }
    }

    @Test("a shutdown answers waiting calls with the present items")
    func shutdown() async throws {
        // Long, because a busy machine may answer slowly.
        try await Box.with({ server, _ in server.shutdownGrace = Patience.duration }, logLevel: .debug) { box in
            box.push()
            // Another time than the longest, after which a call is made again.
            let call = try await box.http.open("GET", "/v1/notifications?wait=59s&count=2")
            await box.log.wait(for: "a control call waits")
            await box.control.shutDown()
            let list = try await call.answer().json()
            #expect(list["timedOut"] == true)
            #expect(list["matched"] == 1)
        }
    }

    @Test("a caller that never closes its side doesn't delay a shutdown")
    func stuckCaller() async throws {
        try await Box.with({ server, _ in server.shutdownGrace = .milliseconds(50) }) { box in
            let stuck = try await box.http.open("POST", "/v1/reset", nil, headers: [("Content-Length", "10")])
            #expect(try await box.http.call("GET", "/livez").status == 200)
            await box.control.shutDown()
            await #expect(throws: (any Error).self) { _ = try await stuck.answer() }
        }
    }

    @Test("a wait works with JSON lines")
    func lines() async throws {
        try await Box.with { box in
            let call = try await box.http.open(
                "GET", "/v1/notifications?wait=60s", headers: [("Accept", "application/x-ndjson")])
            box.push()
            let answer = try await call.answer()
            #expect(answer.headers["mynah-timed-out"] == ["false"])
            #expect(answer.text.contains("\"sequence\":1"))
        }
    }

    @Test("a wait and an expectation end on a frozen clock")
    func frozenClock() async throws {
        try await Box.with { box in
            var clock = ClockState()
            try clock.set(.frozen, wall: box.server.now)
            try await box.server.setClock(clock)
            let list = try await box.http.call("GET", "/v1/notifications?wait=20ms").json()
            #expect(list["timedOut"] == true)
            let none = #"{"count":{"max":0},"settle":"20ms"}"#
            #expect(try await box.http.call("POST", "/v1/expectations", none).json()["met"] == true)
            #expect(try await box.http.call("POST", "/v1/expectations", #"{"within":"20ms"}"#).json()["met"] == false)
            let status = try await box.http.call("GET", "/v1/status").json()
            #expect(status["now"]?.string == box.server.now.rfc3339)
        }
    }
}
