import APNsRules
import MynahTrust
import Testing

@testable import MynahCLI

@Suite("A curl command that mynah webpush explain reads")
struct CurlCommandTests {
    private let endpoint = "https://web.push.apple.com/QAbc_-1"

    private func read(_ text: String, files: [String: [UInt8]] = [:]) throws -> WebPushText {
        try WebPushText(Array(text.utf8)) { files[$0] }
    }

    private func judge(_ text: WebPushText) -> WebPushJudgement {
        var context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        context.unseen = text.omissions.parts
        return WebPushAdmission.judge(text.request, in: context, verify: VapidProof.verify)
    }

    /// An `Authorization` that Apple accepts.
    private func authorization() throws -> String {
        try P256PrivateKey.generate().vapidAuthorization(
            audience: .apple, expiresAt: Instant(seconds: 3600), subject: "mailto:a@example.com")
    }

    @Test("a header with a colon and no value is not sent, and one with a semicolon is sent empty")
    func emptyHeaders() throws {
        let text = try read(
            "curl -X POST -H 'TTL: 60' -H 'Urgency:' -H 'X-A: ' -H 'Topic;' -H 'X-B; c' -H d \(endpoint)")
        #expect(text.request["urgency"] == nil)
        #expect(text.request["topic"] == "")
        #expect(text.request.fields.map(\.name) == ["ttl", "topic"])
        #expect(judge(text).findings.refusals.map(\.reason) == [.badAuthorizationHeader, .badWebPushTopic])
        let inFile = try read("curl -H @h \(endpoint)", files: ["h": Array("Urgency:\nTopic;\nTTL: 1\n".utf8)])
        #expect(inFile.request.fields == [HTTPField("topic", ""), HTTPField("ttl", "1")])
    }

    @Test(
        "a body that isn't here needs a Content-Encoding, and a form is no encrypted body",
        arguments: [
            ("--data-binary @body.bin", true), ("-d @body.bin", true), ("-d \"$BODY\"", true),
            ("-d a -d @body.bin", true),
            ("--data-urlencode a=b", true), ("-F a=b", false), ("--form-string a=b", false),
        ])
    func bodyElsewhere(option: String, isAcceptedWithEncoding: Bool) throws {
        let rest = "\(option) -H 'TTL: 60' -H 'Authorization: \(try authorization())' \(endpoint)"
        let plain = judge(try read("curl \(rest)"))
        #expect(plain.findings.refusals.map(\.reason) == [.badWebPushRequest])
        #expect(plain.refusal?.cause == "the body has no Content-Encoding: expected aes128gcm")
        let encoded = judge(try read("curl -H 'Content-Encoding: aes128gcm' \(rest)"))
        #expect(encoded.findings.refusals.map(\.reason) == (isAcceptedWithEncoding ? [] : [.badWebPushRequest]))
        #expect(encoded.refusal?.cause.contains("base64") != true)
        let draft = judge(try read("curl -H 'Content-Encoding: aesgcm' \(rest)"))
        #expect(draft.findings.refusals.map(\.reason) == [.badWebPushRequest, .badWebPushRequest])
    }

    @Test("a declared body that the text lacks needs a Content-Encoding as well")
    func declaredBody() throws {
        let text = try read("POST /QA HTTP/1.1\nTTL: 60\nContent-Length: 300\n\n")
        #expect(judge(text).findings.refusals.map(\.reason) == [.badAuthorizationHeader, .badWebPushRequest])
    }

    @Test(
        "without the value of a header that a rule reads there is no answer",
        arguments: [
            ("-H @h.txt", true), ("-K conf", true), (#"-H "Authorization: vapid t=$TOKEN, k=$KEY" -H 'TTL: 60'"#, true),
            (#"-H "TTL: $TTL""#, true), (#"-H "X-Request-Id: $ID""#, false), (#"-H "$AUTH""#, true),
            (#"-H "$NAME: x""#, true),
        ])
    func undecided(options: String, isUndecided: Bool) throws {
        let known = options.contains("Authorization") ? "" : "-H 'Authorization: \(try authorization())'"
        let text = try read("curl -X POST \(known) -H 'TTL: 60' \(options) \(endpoint)")
        var context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        context.unseen = text.omissions.parts
        let explained = WebPushExplanation(judge(text), of: text, in: context)
        #expect(explained.isAccepted == !isUndecided)
        #expect(explained.text.hasPrefix("Apple's answer to this request can't be told") == isUndecided)
        #expect(explained.json["accepted"] == (isUndecided ? .null : true))
        #expect(explained.json["status"] == (isUndecided ? .null : 201))
        // What is known to be wrong is refused whatever the rest is.
        let wrong = try read("curl -X POST -H 'Urgency: x' \(options) \(endpoint)")
        #expect(WebPushExplanation(judge(wrong), of: wrong, in: context).text.contains("400 BadUrgency"))
    }

    @Test("fields without a request line are accepted as headers, not as a request")
    func headersAlone() throws {
        let text = try read("Authorization: \(try authorization())\nTTL: 60\n")
        var context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        context.unseen = text.omissions.parts
        #expect(
            WebPushExplanation(judge(text), of: text, in: context).text.hasPrefix(
                "Apple would accept these headers: 201"))
    }

    @Test(
        "a URL that isn't https is refused, also one without a scheme, for which curl takes http",
        arguments: [
            "curl http://web.push.apple.com/QA", "curl web.push.apple.com/QA",
            "curl --url HTTP://web.push.apple.com/QA",
            "curl --proto-default ftp web.push.apple.com/QA", "POST http://web.push.apple.com/QA HTTP/1.1\nTTL: 60\n",
        ])
    func otherSchemes(text: String) throws {
        let failure = #expect(throws: CommandFailure.self) { try read(text) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("is not https: expected https://") == true)
        #expect(failure?.message.contains("for which curl takes http") == text.contains("curl web"))
        #expect(try read("curl --proto-default https web.push.apple.com/QA").origin == .apple)
    }

    @Test("a query of an option is part of the path, which has none")
    func query() throws {
        let text = try read(
            "curl -X POST --url-query a=b -H 'TTL: 1' -H 'Authorization: \(try authorization())' \(endpoint)")
        #expect(text.request.path == "/QAbc_-1?a=b")
        #expect(judge(text).findings.refusals.map(\.reason) == [.badPath])
    }

    @Test(
        "an option that curl doesn't know is named",
        arguments: [
            ("--frobnicate x", "the option --frobnicate of the curl command is unknown"),
            ("--header='TTL: 60'", "the option --header=… of the curl command is unknown to curl"),
            ("--request=POST", "the option --request=… of the curl command is unknown to curl"),
            ("-sW", "the option -W of the curl command is unknown"), ("--no-header a", "the option --no-header of"),
        ])
    func unknownOption(option: String, message: String) {
        let failure = #expect(throws: CommandFailure.self) { try read("curl \(option) \(endpoint)") }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
    }

    @Test("flags of curl are read, also those that take one back")
    func flags() throws {
        let text = try read(
            "curl -sSfkL#1v --compressed --http2 --no-buffer --no-progress-meter --no-location \(endpoint)")
        #expect(text.request.path == "/QAbc_-1")
    }

    @Test(
        "curl is recognised by its path, with the suffix of Windows, and behind variables",
        arguments: [
            "/usr/bin/curl", "curl.exe", "CURL.EXE", #"C:\Windows\System32\curl.exe"#, "VAR=1 curl",
            "A='b c' D=\"e f\"g /opt/bin/curl", "$ A= curl", "  curl",
        ])
    func program(name: String) throws {
        let text = try read("\(name) -X POST -H 'TTL: 60' \(endpoint)")
        #expect(text.request.method == "POST")
        #expect(text.request["ttl"] == "60")
        #expect(text.origin == .apple)
    }

    @Test("other words that have curl in them are no curl command", arguments: ["mycurl -d a", "curling a", "a curl"])
    func otherPrograms(text: String) {
        #expect(throws: CommandFailure.self) { try read("\(text) \(endpoint)") }
    }

    @Test("a command that a browser has copied for the command prompt is read", arguments: ["\n", "\r\n"])
    func commandPrompt(end: String) throws {
        let lines = [
            #"curl ^"\#(endpoint)^" ^"#, #"  -X ^"POST^" ^"#, #"  -H ^"TTL: 60^" ^"#,
            #"  -H ^"authorization: vapid t=a.b.c, k=\^"BA\^"^" ^"#, #"  -H ^"X-A: ^%^41 ^& 'b' $c^" ^"#,
            #"  --data-raw ^"^{^\^"a^\^":1^}^""#,
        ]
        let text = try read(lines.joined(separator: end))
        #expect(text.request.method == "POST")
        #expect(text.request.path == "/QAbc_-1")
        #expect(text.request["ttl"] == "60")
        #expect(text.request["authorization"] == #"vapid t=a.b.c, k="BA""#)
        #expect(text.request["x-a"] == "%41 & 'b' $c")
        #expect(text.request.body == Array(#"{"a":1}"#.utf8))
        #expect(text.omissions.clauses.isEmpty && text.omissions.remarks.isEmpty)
    }

    @Test("words of the command prompt have quotes without carets, variables, and ends of lines in values")
    func commandPromptWords() throws {
        func words(_ text: String) throws -> [String] { try CommandPromptWords.words(text).map(\.text) }
        #expect(try words("a \"b ^ c\" ^\n  d^^e \"\" & f") == ["a", "b ^ c", "d^e", ""])
        #expect(try words("^\"a^\n\nb^\" c > d") == ["a\nb", "c"])
        #expect(try words(#""a\\" "b\"c" d\e"#) == [#"a\"#, "b\"c", #"d\e"#])
        #expect(try CommandPromptWords.words(#"-H ^"A: %TOKEN%^""#).map(\.expansions) == [[], ["%TOKEN%"]])
        #expect(throws: CommandFailure.self) { try words("^\"a") }
        #expect(!CommandPromptWords.areMeant(by: "curl -d 'a^2' \"^\" \(endpoint)"))
    }
}
