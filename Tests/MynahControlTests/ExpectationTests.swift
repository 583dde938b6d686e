import APNsRules
import Mynah
import MynahCore
import MynahTestSupport
import Testing

@testable import MynahControl

/// `POST /v1/expectations` (`Documents#Expectations`).
@Suite("Expectations over HTTP")
struct ExpectationTests {
    @Test("a present push meets an expectation at once")
    func met() async throws {
        try await Box.with { box in
            box.push()
            box.push(topic: "other")
            let answer = try await box.http.call("POST", "/v1/expectations", #"{"match":{"topic":"other"}}"#)
            #expect(answer.status == 200)
            let result = try answer.json()
            for name in ["met", "matched", "items", "failedAt", "nearest", "hints", "evicted", "lastSequence"] {
                #expect(result[name] != nil, "\(name)")
            }
            #expect(result["met"] == true)
            #expect(result["matched"] == 1)
            #expect(result["items"]?.array?.first?["sequence"] == 2)
            #expect(result["lastSequence"] == 2)
        }
    }

    @Test("an expectation waits for later pushes")
    func comesLater() async throws {
        try await Box.with { box in
            let call = try await box.http.open(
                "POST", "/v1/expectations",
                #"{"match":{"topic":"wanted"},"count":{"min":2},"within":"\#(Patience.text)"}"#)
            box.push(topic: "wanted")
            box.push()
            box.push(topic: "wanted")
            let result = try await call.answer().json()
            #expect(result["met"] == true)
            #expect(result["matched"] == 2)
        }
    }

    @Test("an unmet expectation has the near misses and hints")
    func unmet() async throws {
        try await Box.with { box in
            box.push(topic: "com.example.ap")
            let result = try await box.http.call(
                "POST", "/v1/expectations", #"{"match":{"topic":"com.example.app"},"within":"20ms"}"#
            ).json()
            #expect(result["met"] == false)
            #expect(result["matched"] == 0)
            let difference = result["nearest"]?.array?.first?["differences"]?.array?.first
            #expect(difference?["field"] == "/topic")
            #expect(difference?["actual"] == "com.example.ap")
        }
    }

    @Test("reasons are looked for among the newest pushes only, so that a full journal delays no answer")
    func newest() async throws {
        try await Box.with { box in
            func answer(_ expectation: String) async throws -> JSONValue {
                try await box.http.call("POST", "/v1/expectations", expectation).json()
            }
            box.push(topic: "near", token: 2)
            for _ in 0..<(NearMiss.searchedMax + 5) { box.push(topic: "far", token: 1) }
            let token = String(repeating: "0", count: 63)
            let miss = #"{"match":{"topic":"nea","token":"\#(token)2","pushType":"alert"},"within":"0s"}"#
            let nearest = try await answer(miss)["nearest"]?.array?.compactMap { $0["sequence"]?.integer }
            #expect(nearest == (0..<3).map { Int64(NearMiss.searchedMax + 6 - $0) })
            let last = box.server.journal.lastIssued
            let early = try await answer(#"{"match":{"topic":"far"},"after":\#(last),"within":"0s"}"#)
            let hint = try #require(early["hints"]?.array?.first?.string)
            #expect(hint.hasPrefix("at least \(NearMiss.searchedMax) matched before after=\(last)"))
            // All that count are counted.
            let all = try await answer(#"{"match":{"topic":"far"},"count":{"min":9999},"within":"0s"}"#)
            #expect(all["matched"] == .whole(NearMiss.searchedMax + 5))
        }
    }

    @Test("a push before `after` is named in a hint")
    func early() async throws {
        try await Box.with { box in
            box.push()
            let result = try await box.http.call("POST", "/v1/expectations", #"{"after":1,"within":"0s"}"#).json()
            #expect(result["met"] == false)
            #expect(result["hints"]?.array?.first?.string?.contains("after=1") == true)
        }
    }

    @Test("max 0 is met after settle, and unmet at the first push")
    func nothingComes() async throws {
        try await Box.with { box in
            let body = #"{"match":{"topic":"unwanted"},"count":{"max":0},"settle":"50ms"}"#
            var result: JSONValue?
            let time = try await ContinuousClock().measure {
                result = try await box.http.call("POST", "/v1/expectations", body).json()
            }
            #expect(time >= .milliseconds(50))
            #expect(result?["met"] == true)
            let call = try await box.http.open(
                "POST", "/v1/expectations",
                #"{"match":{"topic":"unwanted"},"count":{"max":0},"settle":"\#(Patience.text)"}"#)
            box.push(topic: "unwanted")
            #expect(try await call.answer().json()["met"] == false)
        }
    }

    @Test("inOrder is met only in this order")
    func inOrder() async throws {
        try await Box.with { box in
            box.push(topic: "a")
            box.push(topic: "b")
            let right = #"{"inOrder":[{"topic":"a"},{"topic":"b"}],"within":"0s"}"#
            let wrong = #"{"inOrder":[{"topic":"b"},{"topic":"a"}],"within":"0s"}"#
            #expect(try await box.http.call("POST", "/v1/expectations", right).json()["met"] == true)
            let result = try await box.http.call("POST", "/v1/expectations", wrong).json()
            #expect(result["met"] == false)
            #expect(result["failedAt"] == 1)
        }
    }

    @Test(
        "an unknown field or one of the wrong type is refused and named",
        arguments: [
            (#"{"macth":{}}"#, "/macth"), (#"{"match":{"tpoic":"x"}}"#, "/match/tpoic"), (#"{"match":3}"#, "/match"),
            (#"{"within":5}"#, "/within"), (#"{"within":"5"}"#, "/within"), (#"{"within":"2h"}"#, "/within"),
            (#"{"settle":true}"#, "/settle"), (#"{"after":"1"}"#, "/after"), (#"{"after":-1}"#, "/after"),
            (#"{"count":3}"#, "/count"), (#"{"count":{"most":3}}"#, "/count/most"),
            (#"{"count":{"min":2,"max":1}}"#, "/count/max"), (#"{"scope":1}"#, "/scope"),
            (#"{"scope":"a b"}"#, "/scope"), (#"{"match":{"screen":{"/tilte":"x"}}}"#, "/match/screen/~1tilte"),
            (#"{"inOrder":[{"tpoic":"x"}]}"#, "/inOrder/0/tpoic"), (#"{"inOrder":[],"match":{}}"#, "/inOrder"),
            ("[]", ""), (#""text""#, ""), ("7", ""),
        ])
    func badFields(body: String, field: String) async throws {
        try await Box.with { box in
            try expectProblem(await box.http.call("POST", "/v1/expectations", body), 400, field: field)
        }
    }

    @Test(
        "malformed JSON is refused with its position",
        arguments: [
            ("", "line 1, column 1"), ("{", "line 1"), ("{\n  \"match\": {},\n  oops}", "line 3, column 3"),
            ("{} x", "line 1, column 4"),
        ])
    func malformed(body: String, place: String) async throws {
        try await Box.with { box in
            try expectProblem(
                await box.http.call("POST", "/v1/expectations", body), 400, mentions: "not JSON at byte", place)
        }
    }

    @Test("any content type is accepted", arguments: [nil, "text/plain", "application/x-www-form-urlencoded"])
    func contentType(type: String?) async throws {
        try await Box.with { box in
            let headers = type.map { [("Content-Type", $0)] } ?? []
            let answer = try await box.http.call("POST", "/v1/expectations", #"{"within":"0s"}"#, headers: headers)
            #expect(answer.status == 200)
        }
    }

    @Test(
        "a body over 5 MB is 413, and one of 5 MB is read",
        arguments: [("/v1/expectations", #"{"within":"0s"}"#), ("/v1/reset", "{}")])
    func tooLarge(path: String, document: String) async throws {
        try await Box.with { box in
            let space = String(repeating: " ", count: Call.bodyBytesMax - document.utf8.count)
            #expect(try await box.http.call("POST", path, space + document).status == 200)
            try expectProblem(await box.http.call("POST", path, " " + space + document), 413, mentions: "5242880")
        }
    }

    @Test("parameters in the URL are refused")
    func query() async throws {
        try await Box.with { box in
            try expectProblem(await box.http.call("POST", "/v1/expectations?within=1s", "{}"), 400, field: "within")
        }
    }
}
