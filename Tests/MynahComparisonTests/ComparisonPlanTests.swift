import APNsRules
import MynahClient
import Testing

@testable import MynahComparison

@Suite("Which cases a comparison plays, and how")
struct ComparisonPlanTests {
    private static let token = String(repeating: "ab", count: 32)
    private static let premise = ComparisonPremise(bundleID: "org.example.news", hasKey: true)
    private static let everything = ComparisonPremise(
        bundleID: "org.example.news", hasKey: true, certificateTopics: ["org.example.news"], hasBroadcasts: true,
        deviceToken: token)

    /// A case with these members over those of a good push.
    private func fixture(_ members: String = "") throws -> FixtureCase {
        let expect = members.contains(#","expect": {"status": 400"#) ? "" : #", "expect": {"status": 200}"#
        let text = #"{"name": "n", "source": "s", "rule": "r"\#(expect)\#(members)}"#
        return try FixtureCase(file: "made", bytes: Array(text.utf8))
    }

    private func reason(_ members: String, _ premise: ComparisonPremise = premise) throws -> String? {
        ComparisonPlan([try fixture(members)], for: premise).leftOut.first?.reason
    }

    @Test("is written down for every case of the folder")
    func classification() throws {
        let plan = ComparisonPlan(try FixtureCase.all(), for: Self.everything)
        let played = plan.cases.map { one in
            let deliveries = one.deliveries > 0 ? ", delivers \(one.deliveries)" : ""
            return "\(one.fixture.file): \(one.connection.rawValue)\(deliveries)"
        }
        let lines = (played + plan.leftOut.map { "\($0.fixture.file): not tried: \($0.reason)" }).sorted()
        let path = #filePath.replacing("ComparisonPlanTests.swift", with: "classification.txt")
        let known = try FileAccess.readText(path).map { $0.split(separator: "\n").map(String.init) } ?? []
        guard !known.isEmpty else {
            try FileAccess.writeAtomically(Array((lines.joined(separator: "\n") + "\n").utf8), to: path, mode: 0o644)
            Issue.record("\(path) was empty and is written now; look at it")
            return
        }
        let new = Set(lines).subtracting(known).sorted()
        let gone = Set(known).subtracting(lines).sorted()
        #expect(new.isEmpty && gone.isEmpty, "empty \(path) and run this twice: it lacks \(new), and \(gone) is over")
    }

    @Test(
        "leaves out a case by the reason",
        arguments: [
            (
                #","service": "channels""#,
                "channel management: another host, and it changes the channels of the account"
            ),
            (#","settings": {"payload-check": "strict"}"#, "is about --payload-check, a setting of Mynah's"),
            (#","settings": {"environment": "production"}"#, "is about the production environment"),
            (
                #","state": {"devices": [{"token": "00", "topic": "com.example.app"}]}"#,
                "needs a device token in a certain state"
            ),
            (
                #","expect": {"status": 400, "reason": "DeviceTokenNotForTopic"}"#,
                "needs a device token in a certain state"
            ),
            (#","at": "20s""#, "needs time to pass on its connection"),
            (
                #","request": {"credential": {"age": "3601s"}}"#,
                "depends on the second at which the other service reads the token"
            ),
            (#","request": {"credential": {"key": "other-team"}}"#, "needs a key of a second team"),
            (
                #","state": {"keys": [{"name": "k"}]}, "request": {"credential": {"key": "k"}}"#,
                "needs a topic-specific key, or one for one environment"
            ),
            (#","revoke": ["certificate"]"#, "needs a credential that is revoked meanwhile"),
            (
                #","before": [{"request": {"credential": {"variant": 2}}, "expect": {"status": 200}}]"#,
                "changes the token of a connection, which gets 429 when done too often"
            ),
            (#","certificate": {"topics": ["com.example.app"]}"#, "needs a certificate: --certificate"),
            (
                #","request": {"path": "/4/broadcasts/apps/com.example.app"}"#,
                "needs an app with the broadcast capability: --broadcasts"
            ),
            (
                #","request": {"path": "/1/apps/com.example.app/channels"}"#,
                "channel management: it could change the channels of the account"
            ),
        ])
    func leavesOut(_ members: String, _ expected: String) throws {
        #expect(try reason(members) == expected)
    }

    @Test("plays a good push with every credential that there is")
    func usesCredentials() throws {
        let good = try fixture()
        let withKey = try #require(ComparisonPlan([good], for: Self.premise).cases.first)
        #expect(withKey.connection == .token)
        var premise = Self.premise
        premise.hasKey = false
        premise.certificateTopics = ["org.example.news"]
        let withCertificate = try #require(ComparisonPlan([good], for: premise).cases.first)
        #expect(withCertificate.connection == .certificate)
        #expect(withCertificate.requests[0].credential == .none)
        premise.certificateTopics = nil
        #expect(ComparisonPlan([good], for: premise).leftOut.first?.reason == "needs a signing key: --key")
    }

    @Test("gives a bad token its own connection, and requests without one a common one")
    func separatesConnections() throws {
        let bad = try fixture(#","request": {"credential": {"signature": "bad"}}"#)
        let none = try fixture(#","request": {"credential": null}"#)
        let plan = ComparisonPlan([bad, none, try fixture()], for: Self.premise)
        #expect(plan.cases.map(\.connection) == [.token, .anonymous, .own])
    }

    @Test("plays a case of a certificate only with one for the same topics")
    func comparesTopics() throws {
        var premise = Self.everything
        let single = #","certificate": {"topics": ["com.example.app"]}"#
        #expect(try reason(single, premise) == nil)
        premise.certificateTopics = ["org.example.news", "org.example.news.voip"]
        #expect(try reason(single, premise) == "needs a certificate for com.example.app alone")
        #expect(try reason(#","certificate": {"topics": ["com.example.app.voip", "com.example.app"]}"#, premise) == nil)
        #expect(
            try reason(#","certificate": {"topics": ["com.example.app"], "validFor": "60s"}"#, Self.everything)
                == "needs a certificate that expires meanwhile")
    }

    @Test("puts the user's app in place of the case's, in topics and paths")
    func rewritesApps() throws {
        let cases = [
            try fixture(#","request": {"headers": {"apns-topic": "com.example.app.voip"}}"#),
            try fixture(#","request": {"path": "/4/broadcasts/apps/com.example.app"}"#),
            try fixture(#","request": {"headers": {"apns-topic": "com.example.other"}}"#),
        ]
        let plan = ComparisonPlan(cases, for: Self.everything)
        #expect(plan.cases[0].requests[0].fields.contains { $0 == ("apns-topic", "org.example.news.voip") })
        #expect(plan.cases[1].requests[0].path == "/4/broadcasts/apps/org.example.news")
        #expect(plan.cases[2].requests[0].fields.contains { $0 == ("apns-topic", "com.example.other") })
    }

    @Test("sends the user's device good pushes alone, and says how many")
    func delivers() throws {
        let all = try FixtureCase.all()
        let plan = ComparisonPlan(all, for: Self.everything)
        let toDevice = plan.cases.flatMap { one in
            one.requests.filter { $0.path.lowercased().contains(Self.token) }.map { _ in one.fixture }
        }
        #expect(plan.deliveries == toDevice.count)
        #expect(plan.deliveries > 20)
        #expect(
            toDevice.allSatisfy { fixture in (fixture.before + [fixture.step]).contains { $0.expect.status == 200 } })
        let harmless = ComparisonPlan(all, for: Self.premise)
        #expect(harmless.deliveries == 0)
        #expect(harmless.cases.count > 150)
    }

    @Test("names what no case has as not tried, with the reason")
    func namesBehaviours() throws {
        let all = try FixtureCase.all()
        let rows = ComparisonPlan(all, for: Self.everything).notTried
        let names = Set(rows.map(\.id))
        #expect(names.count == rows.count)
        let behaviours = names.subtracting(all.map(\.file))
        #expect(behaviours.isSuperset(of: ["tls-old-version", "tls-bad-certificate", "goaway-connections"]))
        for row in rows where behaviours.contains(row.id) {
            #expect(row.source.wholeMatch(of: /ProviderAPI#[A-Za-z-]+ \([a-z]+\)/) != nil, "\(row.source)")
            guard case .notTried(let reason) = row.verdict else {
                Issue.record("\(row.id) has no reason")
                continue
            }
            #expect(!reason.isEmpty)
        }
    }

    @Test("keeps the case of a device token's digits")
    func keepsCase() throws {
        let token = FixtureRequest.defaultToken
        let cases = try [token, token.uppercased()].map { try fixture(#","request": {"token": "\#($0)"}"#) }
        let plan = ComparisonPlan(cases, for: Self.everything)
        let paths = [Self.token, Self.token.uppercased()].map { "/3/device/\($0)" }
        #expect(plan.cases.map(\.requests[0].path) == paths)
    }
}
