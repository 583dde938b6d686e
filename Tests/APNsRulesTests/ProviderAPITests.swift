import APNsRules
import MynahComparison
import MynahTestSupport
import Testing

/// The rules against the table of cases, without a server.
struct ProviderAPITests {
    @Test("each case of the table holds", arguments: try FixtureCase.all())
    func caseHolds(_ fixture: FixtureCase) throws {
        var world = try RuleWorld(fixture)
        for step in fixture.before + [fixture.step] {
            let answer = try world.answer(step)
            #expect(answer.reply.status == step.expect.status)
            let settings = fixture.settings["documented-reasons"] == nil
            if settings { #expect(answer.reason?.rawValue == step.expect.reason) }
            try expectBody(answer.reply, step.expect)
            try expectFields(answer.reply, step.expect)
        }
    }

    @Test("every reason that a rule of this version can give has a case")
    func reasonsAreCovered() throws {
        let covered = Set(try FixtureCase.all().compactMap(\.step.expect.reason))
        // The reasons of connections, limits and faults don't come from these rules.
        let elsewhere: Set<Reason> = [
            .badCertificateEnvironment, .idleTimeout, .internalServerError, .serviceUnavailable, .shutdown,
            .tooManyRequests,
        ]
        let missing = Reason.allCases.filter { reason in
            !elsewhere.contains(reason) && !reason.isOfWebPush && !covered.contains(reason.rawValue)
        }
        #expect(missing.isEmpty)
    }

    private func expectBody(_ reply: Reply, _ expected: FixtureCase.Expected) throws {
        guard let reason = expected.reason else {
            #expect(reply.body == expected.body?.encoded ?? [])
            return
        }
        let timestamp = expected.timestamp.map { ",\"timestamp\":\($0)" } ?? ""
        #expect(String(decoding: reply.body, as: UTF8.self) == "{\"reason\":\"\(reason)\"\(timestamp)}")
        #expect(reply.body.count <= Limits.refusalBodyBytesMax)
    }

    private func expectFields(_ reply: Reply, _ expected: FixtureCase.Expected) throws {
        for (name, wanted) in expected.headers {
            let actual: String? =
                switch name {
                case _ where reply.fields != nil: reply.fields?.first { $0.name == name }?.value
                case "apns-id": reply.notificationID.text
                case "apns-unique-id": reply.uniqueID?.text
                case "content-type": reply.sendsContentType ? "application/json" : nil
                default: nil
                }
            switch wanted {
            case .absent: #expect(actual == nil, "\(name) must be absent")
            case .value(let value): #expect(actual == value, "\(name)")
            case .pattern(let pattern):
                let text = try #require(actual, "\(name) is missing")
                #expect(try Regex(pattern).firstMatch(in: text) != nil, "\(name) is \(text)")
            }
        }
    }
}
