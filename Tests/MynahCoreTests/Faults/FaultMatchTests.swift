import APNsRules
import MynahCore
import Testing

@Suite("Which requests a fault rule is about")
struct FaultMatchTests {
    private func facts() -> FaultFacts {
        .push(
            headers: [
                ("apns-push-type", "alert"), ("apns-priority", "5"), ("apns-collapse-id", "score"),
                ("apns-id", Entry.anID), ("x-trace", "one"), ("x-trace", "two"),
            ],
            body: #"{"aps":{"alert":{"title":"Breaking News"},"badge":3,"category":"NEWS"}}"#, connection: 12,
            team: "TEAM123456", device: "kims-phone", scope: "t42")
    }

    private func matches(_ match: String, _ facts: FaultFacts, scope: String? = nil) throws -> Bool {
        let scope = scope.map { "\"scope\":\"\($0)\"," } ?? ""
        var prefilter = FaultPrefilter(try .of("{\(scope)\"match\":\(match),\"action\":{\"type\":\"pass\"}}"))
        var facts = facts
        return !prefilter.candidates(for: &facts).isEmpty
    }

    @Test(
        "matches",
        arguments: [
            #"{}"#, #"{"token":"\#(Entry.aToken)"}"#, #"{"token":"\#(Entry.aToken.uppercased())"}"#,
            #"{"token":["\#(Entry.anotherToken)","\#(Entry.aToken)"]}"#, #"{"token":{"prefix":"00FC"}}"#,
            #"{"token":{"regex":"^00.*f0$"}}"#, #"{"token":{"regex":"^00x*"}}"#, #"{"token":{"regex":"^zz|00FC"}}"#,
            #"{"token":{"not":"\#(Entry.anotherToken)"}}"#,
            #"{"device":"kims-phone"}"#, #"{"scope":"t42"}"#, #"{"topic":"com.example.app"}"#,
            #"{"topic":{"contains":"example"}}"#, #"{"topic":{"regex":"app$"}}"#, #"{"team":"TEAM123456"}"#,
            #"{"keyId":"ABC123DEFG"}"#, #"{"apnsId":"\#(Entry.anID.lowercased())"}"#, #"{"collapseId":"score"}"#,
            #"{"pushType":["alert","voip"]}"#, #"{"priority":5}"#, #"{"priority":{"lte":5}}"#,
            #"{"environment":"sandbox"}"#, #"{"connection":12}"#, #"{"connection":{"gte":12}}"#,
            #"{"headers":{"X-Trace":"two"}}"#, #"{"headers":{"x-other":{"exists":false}}}"#,
            #"{"payload":{"/aps/category":"NEWS","/aps/badge":{"gte":3}}}"#,
            #"{"payloadIncludes":{"aps":{"badge":3}}}"#, #"{"text":"breaking"}"#,
            #"{"topic":"com.example.app","priority":5,"payload":{"/aps/badge":3}}"#, #"{"event":"request"}"#,
        ])
    func holds(match: String) throws { #expect(try matches(match, facts())) }

    @Test(
        "does not match",
        arguments: [
            #"{"token":"\#(Entry.anotherToken)"}"#, #"{"token":{"prefix":"01"}}"#, #"{"device":"other"}"#,
            #"{"scope":"t43"}"#, #"{"scope":{"exists":false}}"#, #"{"topic":"com.example"}"#,
            #"{"topic":{"regex":"^app"}}"#, #"{"team":"OTHER12345"}"#, #"{"collapseId":{"not":"score"}}"#,
            #"{"pushType":"voip"}"#, #"{"priority":10}"#, #"{"environment":"production"}"#, #"{"connection":13}"#,
            #"{"headers":{"x-trace":"three"}}"#, #"{"headers":{"x-trace":{"not":"one"}}}"#,
            #"{"payload":{"/aps/category":"SPORT"}}"#, #"{"payloadIncludes":{"aps":{"badge":4}}}"#,
            #"{"topic":"com.example.app","priority":10}"#, #"{"text":"quiet"}"#,
        ])
    func fails(match: String) throws { #expect(!(try matches(match, facts()))) }

    @Test("an absent value equals nothing, and an absent priority is 10")
    func absent() throws {
        let bare = FaultFacts.push(token: "00", topic: nil, body: "no JSON")
        for match in [
            #"{"token":"\#(Entry.aToken)"}"#, #"{"topic":"a"}"#, #"{"device":"x"}"#, #"{"team":"TEAM000000"}"#,
            #"{"payload":{"":1}}"#,
            #"{"collapseId":"x"}"#, #"{"apnsId":{"exists":true}}"#,
        ] {
            #expect(!(try matches(match, bare)), "\(match)")
        }
        #expect(try matches(#"{"priority":10,"pushType":"alert","topic":{"exists":false}}"#, bare))
    }

    @Test("a rule with a scope touches the pushes of that scope only")
    func scopes() throws {
        #expect(try matches("{}", facts(), scope: "t42"))
        #expect(!(try matches("{}", facts(), scope: "t43")))
        #expect(!(try matches("{}", .push(), scope: "t42")))
    }

    @Test("an accepted connection has a number and the environment of its port")
    func connections() throws {
        let accepted = FaultFacts(.accept, connection: 3, environment: .production, now: noon)
        #expect(
            try matches(#"{"event":"accept","environment":"production","connection":3}"#, accepted, action: "refuse"))
        #expect(!(try matches(#"{"event":"accept","environment":"sandbox"}"#, accepted, action: "refuse")))
        let unknown = FaultFacts(.accept, connection: 3, environment: nil, now: noon)
        #expect(!(try matches(#"{"event":"accept","environment":"sandbox"}"#, unknown, action: "refuse")))
        #expect(try matches(#"{"event":"accept","environment":{"exists":false}}"#, unknown, action: "refuse"))
    }

    private func matches(_ match: String, _ facts: FaultFacts, action: String) throws -> Bool {
        var prefilter = FaultPrefilter(try .of("{\"match\":\(match),\"action\":{\"type\":\"\(action)\"}}"))
        var facts = facts
        return !prefilter.candidates(for: &facts).isEmpty
    }
}
