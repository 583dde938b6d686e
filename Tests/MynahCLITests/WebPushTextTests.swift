import APNsRules
import MynahTrust
import Testing

@testable import MynahCLI

@Suite("What mynah webpush explain reads")
struct WebPushTextTests {
    @Test("commands make the same token for half a day, and one that expires soon before they make another")
    func tokenOfCommands() {
        let half: Int64 = 12 * 3600
        let change = Instant(seconds: 4000 * half)
        let last = WebPushOptions.tokenExpiry(at: Instant(seconds: 4000 * half - 1))
        let next = WebPushOptions.tokenExpiry(at: change)
        #expect(WebPushOptions.tokenExpiry(at: Instant(seconds: 3999 * half)) == last)
        #expect(WebPushOptions.tokenExpiry(at: Instant(seconds: 4001 * half - 1)) == next)
        #expect(last > change && last.since(change) < WebPushLimits.tokenUseMin)
        #expect(next.since(change) < WebPushLimits.tokenLifetimeMax)
    }

    private let endpoint = "https://web.push.apple.com/QAbc_-1"

    private func read(_ text: String, files: [String: [UInt8]] = [:]) throws -> WebPushText {
        try WebPushText(Array(text.utf8)) { files[$0] }
    }

    @Test("an HTTP request has its body after the empty line, with the line ends of either system")
    func request() throws {
        for end in ["\n", "\r\n"] {
            let lines = [
                "", "POST /QAbc_-1 HTTP/1.1", "Host: localhost:28443", "TTL:60", "Content-Encoding: aes128gcm", "",
            ]
            let text = try read(lines.joined(separator: end) + end + "body\nmore")
            #expect(text.request.method == "POST")
            #expect(text.request.path == "/QAbc_-1")
            #expect(text.request["ttl"] == "60")
            #expect(text.request["content-encoding"] == "aes128gcm")
            #expect(text.request.body == Array("body\nmore".utf8))
            #expect(text.origin == WebPushOrigin(host: "localhost", port: 28_443))
            #expect(text.omissions.clauses.isEmpty)
        }
    }

    @Test("a request to a proxy and one over HTTP/2 are read as well")
    func otherForms() throws {
        let proxied = try read("POST \(endpoint) HTTP/1.1\nTTL: 0\n\n")
        #expect(proxied.request.path == "/QAbc_-1")
        #expect(proxied.origin == .apple)
        let framed = try read(":method: POST\n:path: /QAbc_-1\n:authority: web.push.apple.com\nttl: 0\n")
        #expect(framed.request.method == "POST")
        #expect(framed.request["ttl"] == "0")
        #expect(framed.origin == .apple)
    }

    @Test("a body that was left out is not judged")
    func missingBody() throws {
        let text = try read("POST /QA HTTP/1.1\nContent-Length: 300\nContent-Encoding: aes128gcm\n\n")
        #expect(text.omissions.clauses == ["the body, of which the text has 0 of 300 bytes"])
        let context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        let judgement = WebPushAdmission.judge(text.request, in: context, verify: VapidProof.verify)
        #expect(!judgement.findings.refusals.contains { $0.reason == .badWebPushRequest })
    }

    @Test("a header is read with or without its name", arguments: ["Authorization: ", "authorization:", ""])
    func header(name: String) throws {
        let text = try read("  \(name)vapid t=a.b.c, k=BA\n")
        #expect(text.isCredentialAlone)
        #expect(text.request["authorization"] == "vapid t=a.b.c, k=BA")
        let drafts = try read("\(name)WebPush a.b.c\nCrypto-Key: p256ecdsa=BA\n")
        #expect(drafts.isCredentialAlone)
        #expect(drafts.request.parameter("p256ecdsa", of: "crypto-key") == "BA")
        #expect(!(try read("Authorization: vapid t=a.b.c, k=BA\nTTL: 60\n")).isCredentialAlone)
    }

    @Test("a header alone is compared with the key of the subscription")
    func keyOfSubscription() throws {
        let now = Instant(seconds: 0)
        let key = try P256PrivateKey.generate()
        let value = try key.vapidAuthorization(
            audience: .apple, expiresAt: now.advanced(by: .seconds(3600)), subject: "mailto:a@example.com")
        let text = try read("Authorization: \(value)")
        let other = try P256PrivateKey.generate().publicKey.point
        for (subscribed, reasons) in [(key.publicKey.point, []), (other, [Reason.vapidPkHashMismatch])] {
            let context = WebPushContext(
                now: now, origin: .apple, endpoint: .active(applicationServerKey: subscribed))
            let judgement = WebPushAdmission.judgeCredential(of: text.request, in: context, verify: VapidProof.verify)
            #expect(judgement.findings.refusals.map(\.reason) == reasons)
        }
    }

    @Test("a curl command is read with quotes, joined lines and joined options")
    func curl() throws {
        let command = """
            $ curl -sS -X POST --http2 --cacert 'a b.pem' \\
              -H 'TTL: 60' -H"Urgency: high" --header "Authorization: vapid t=a.b.c, k=\\"BA\\"" \\
              --data-binary @message.bin -o /dev/null \(endpoint)
            """
        let text = try read(command, files: ["message.bin": [1, 10, 2]])
        #expect(text.request.method == "POST")
        #expect(text.request.path == "/QAbc_-1")
        #expect(text.request["ttl"] == "60")
        #expect(text.request["urgency"] == "high")
        #expect(text.request["authorization"] == "vapid t=a.b.c, k=\"BA\"")
        #expect(text.request.body == [1, 10, 2])
        #expect(text.origin == .apple)
        #expect(text.omissions.clauses.isEmpty)
    }

    @Test("a curl command of pywebpush is read, with blanks behind its backslashes")
    func curlOfPywebpush() throws {
        let command = "curl -vX POST \(endpoint) \\\n-H \"ttl: 0\" \\ \n-HTopic:abcd \\ \n--data-binary @encrypted.data"
        let text = try read(command, files: ["encrypted.data": [1, 2]])
        #expect(text.request.method == "POST")
        #expect(text.request.path == "/QAbc_-1")
        #expect(text.request["ttl"] == "0")
        #expect(text.request["topic"] == "abcd")
        #expect(text.request.body == [1, 2])
    }

    @Test("a curl command posts if it has a body, and gets if it has none")
    func curlMethod() throws {
        #expect(try read("curl \(endpoint)").request.method == "GET")
        let posted = try read("curl -d '{\"a\":1}' -d b \(endpoint)")
        #expect(posted.request.method == "POST")
        #expect(posted.request.body == Array("{\"a\":1}&b".utf8))
        let elsewhere = try read("curl --data-binary @gone.bin \(endpoint)")
        #expect(elsewhere.request.method == "POST")
        #expect(elsewhere.omissions.clauses == ["the body, which is in the file gone.bin"])
    }

    @Test("header fields without a request line have no path that could be judged")
    func fieldsAlone() throws {
        let text = try read("Authorization: vapid t=a.b.c, k=BA\nTTL: 60\n")
        #expect(text.omissions.clauses == ["the path", "the body"])
        #expect(!judge(text).findings.refusals.contains { $0.reason == .badPath })
    }

    @Test("a request line is read without its version", arguments: ["/QAbc_-1", "https://web.push.apple.com/QAbc_-1"])
    func lineWithoutVersion(target: String) throws {
        let text = try read("POST \(target)\nTTL: 60\n\n")
        #expect(text.request.method == "POST")
        #expect(text.request.path == "/QAbc_-1")
        #expect(text.omissions.clauses.isEmpty)
    }

    @Test(
        "a curl command ends where the shell says, and values of its options are no URLs",
        arguments: [
            "| jq .", "|| echo no", "2>/dev/null", "> out 2>&1", "&>out", "< in", "&& echo hi", "; x", "& x", "# a b",
            "<<END\na\nEND", "--retry-delay 1", "--tls-max 1.3", "-sS --proxy-cert a", "-vY 1",
        ])
    func curlWithin(rest: String) throws {
        for command in ["curl -H 'TTL: 60' \(endpoint) \(rest)", "curl -H 'TTL: 60;|>' \(endpoint) \(rest)"] {
            let text = try read(command)
            #expect(text.request.path == "/QAbc_-1")
            #expect(text.origin == .apple)
            #expect(text.request["ttl"]?.hasPrefix("60") == true)
            #expect(text.omissions.clauses.isEmpty)
        }
        #expect(try read("curl 2>/dev/null \(endpoint) >out -H 'TTL: 1'").request["ttl"] == "1")
    }

    @Test("what files and forms of curl have is read, or not judged")
    func curlFiles() throws {
        let found = try read("curl -d a -H @head \(endpoint)", files: ["head": Array("TTL: 7\nTopic: a\n".utf8)])
        #expect(found.request["ttl"] == "7")
        #expect(found.omissions.clauses.isEmpty)
        let cases = [
            ("-H @gone", "the headers, which are in the file gone"),
            ("-K set", "what the file set of curl's options has"),
        ]
        for (option, clause) in cases {
            let text = try read("curl -X POST --data-raw a \(option) \(endpoint)")
            #expect(text.omissions.clauses == [clause])
            #expect(judge(text).findings.refusals.isEmpty)
            let drafts = try read("curl -X POST -H 'TTL: x' -H 'Authorization: WebPush a.b.c' \(option) \(endpoint)")
            #expect(judge(drafts).findings.refusals.map(\.reason) == [.badTtl])
        }
        let configured = try read("curl --config set")
        #expect(configured.omissions.clauses.last == "the path")
        #expect(judge(configured).findings.refusals.isEmpty)
        let form = try read("curl -F a=b \(endpoint)")
        #expect(form.request.method == "POST")
        #expect(form.omissions.clauses == ["the body, which is a form"])
    }

    @Test(
        "flags of a curl command choose its method",
        arguments: [
            ("-G -d a=b", "GET", "?a=b"), ("-sSG --data-raw a", "GET", "?a"), ("-I", "HEAD", ""), ("-sI", "HEAD", ""),
            ("-T gone", "PUT", ""), ("-IXPOST", "POST", ""),
        ])
    func curlFlags(options: String, method: String, query: String) throws {
        let text = try read("curl \(options) \(endpoint)")
        #expect(text.request.method == method)
        #expect(text.request.path == "/QAbc_-1\(query)")
        #expect(text.request.body.isEmpty)
    }

    @Test("a signature that the journal left out is not judged here, and named where it was sent so")
    func missingSignature() throws {
        let key = try P256PrivateKey.generate()
        let value = try key.vapidAuthorization(
            audience: .apple, expiresAt: Instant(seconds: 3600), subject: "mailto:a@example.com")
        let text = try read("POST /QA\nTTL: 60\nAuthorization: \(VapidCredential.withoutSignature(value))\n")
        var context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        let sent = WebPushAdmission.judge(text.request, in: context, verify: VapidProof.verify)
        #expect(sent.findings.refusals.map(\.reason) == [.badJwtToken])
        #expect(sent.refusal?.cause.hasPrefix("the token's signature was left out, as Mynah's journal does") == true)
        context.unseen = text.omissions.parts
        let copied = judge(text)
        #expect(copied.findings.refusals.isEmpty)
        let explained = WebPushExplanation(copied, of: text, in: context).text
        #expect(explained.contains("not judged: the token's signature, which was left out"))
    }

    private func judge(_ text: WebPushText) -> WebPushJudgement {
        var context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        context.unseen = text.omissions.parts
        return WebPushAdmission.judge(text.request, in: context, verify: VapidProof.verify)
    }

    @Test("other input is refused, with what was expected")
    func refused() {
        let cases = [
            ("hello", "expected an HTTP request"), ("", "expected an HTTP request"),
            ("TTL: 60\n", "an Authorization header"),
            ("curl -H 'TTL: 60'", "has no URL"), ("curl 'https://a", "inside quotes"),
            ("curl https://a.example/Q -H", "-H of curl has no value"),
            ("curl https://a.example/Q --url b", "two URLs, https://a.example/Q and b: expected one"),
            ("curl -d a $EP", "the URL $EP of the curl command has a shell variable"),
        ]
        for (text, message) in cases {
            let failure = #expect(throws: CommandFailure.self) { try read(text) }
            #expect(failure?.status == .usage)
            #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
        }
    }

    @Test("what a shell would have put into a header or the body is named, and not judged")
    func variables() throws {
        for header in [
            #"-H "Authorization: vapid t=$TOKEN, k=${KEY}""#, #"-H "Authorization: vapid t=$TOKEN, k="${KEY}"#,
            #"-H"Authorization: vapid t=$TOKEN, k=${KEY}""#,
        ] {
            let text = try read("curl -X POST \(endpoint) -H 'TTL: 60' \(header)")
            #expect(
                text.omissions.clauses == [
                    "the header Authorization, which has the variables $TOKEN, ${KEY} of the shell"
                ])
            #expect(text.request["authorization"] == nil && text.request["ttl"] == "60")
            let judgement = judge(text)
            #expect(judgement.refusal == nil)
            // Another header is missed as before.
            let other = try read("curl -X POST \(endpoint) \(header)")
            #expect(judge(other).findings.refusals.map(\.reason) != judgement.findings.refusals.map(\.reason))
        }
        let body = try read(#"curl \#(endpoint) -d "$(cat message)""#)
        #expect(body.omissions.clauses == ["the body, which has the command $(cat message) of the shell"])
        let plain = try read(#"curl \#(endpoint) -H "X: \$5 a\$ $""#)
        #expect(plain.request["x"] == "$5 a$ $" && plain.omissions.clauses.isEmpty)
    }

    @Test("a variable in single quotes is sent as it is, which is told")
    func quotedVariable() throws {
        let text = try read("curl \(endpoint) -H 'Authorization: vapid t=$TOKEN, k=BA'")
        #expect(text.request["authorization"] == "vapid t=$TOKEN, k=BA")
        let remark =
            "the header Authorization has the variable $TOKEN in single quotes, in which a shell leaves it as it is"
        #expect(text.omissions.remarks == ["\(remark): double quotes were expected"])
        let context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        #expect(WebPushExplanation(judge(text), of: text, in: context).text.contains("warning: \(remark)"))
    }

    @Test("words are split as a shell does")
    func words() throws {
        #expect(
            try ShellWords.split(#"a 'b c' "d \"e\" \f" g\ h '' i"j"'k'"#) == [
                "a", "b c", "d \"e\" \\f", "g h", "", "ijk",
            ])
        #expect(try ShellWords.split("a \\\r\n  b\t\\\n c") == ["a", "b", "c"])
    }

    @Test("an explanation names the answer, everything that is wrong, and what was not judged")
    func explanation() throws {
        let key = try P256PrivateKey.generate()
        let now = Instant(seconds: 1_795_867_200)
        let value = try key.vapidAuthorization(
            audience: .apple, expiresAt: now.advanced(by: .seconds(3600)), subject: "mailto:a@localhost")
        let context = WebPushContext(now: now, origin: .apple, endpoint: .unasked)
        let header = try read("Authorization: \(value)")
        let judgement = WebPushAdmission.judgeCredential(of: header.request, in: context, verify: VapidProof.verify)
        let explained = WebPushExplanation(judgement, of: header, in: context)
        #expect(explained.text.hasPrefix("Apple would refuse this header: 403 BadJwtToken\n"))
        #expect(explained.text.contains("  403 BadJwtToken (observed): sub is \"mailto:a@localhost\""))
        #expect(explained.text.contains("not judged: the rest of the request"))
        #expect(explained.json["accepted"] == false)
        #expect(explained.json["reason"] == "BadJwtToken")
        #expect(explained.json["refusals"]?.array?.count == 1)

        let good = try key.vapidAuthorization(
            audience: .apple, expiresAt: now.advanced(by: .seconds(3600)), subject: "mailto:a@example.com")
        let request = try read("curl -X POST -H 'TTL: 0' -H 'Authorization: \(good)' \(endpoint)")
        var asked = context
        asked.endpoint = .active(applicationServerKey: key.publicKey.point)
        let accepted = WebPushAdmission.judge(request.request, in: asked, verify: VapidProof.verify)
        let text = WebPushExplanation(accepted, of: request, in: asked).text
        #expect(text.hasPrefix("Apple would accept this request: 201\nwarning: TTL is 0"))
        #expect(text.hasSuffix("not judged: whether the subscription exists"))
    }
}
