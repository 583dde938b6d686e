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
            #expect(text.omissions.isEmpty)
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
        #expect(text.omissions == ["the body, of which the text has 0 of 300 bytes"])
        let context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        let judgement = WebPushAdmission.judge(text.request, in: context, verify: VapidProof.verify)
        #expect(!judgement.findings.refusals.contains { $0.reason == .badWebPushRequest })
    }

    @Test("a header is read with or without its name", arguments: ["Authorization: ", "authorization:", ""])
    func header(name: String) throws {
        let text = try read("  \(name)vapid t=a.b.c, k=BA\n")
        #expect(text.extent == .credential)
        #expect(text.request["authorization"] == "vapid t=a.b.c, k=BA")
        let drafts = try read("\(name)WebPush a.b.c\nCrypto-Key: p256ecdsa=BA\n")
        #expect(drafts.extent == .credential)
        #expect(drafts.request.parameter("p256ecdsa", of: "crypto-key") == "BA")
        #expect(try read("Authorization: vapid t=a.b.c, k=BA\nTTL: 60\n").extent == .head)
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

    @Test("a copy that lacks its body is one of headers, and needs no more than its Content-Encoding")
    func bodyLeftOut() throws {
        let text = try read("POST /QA HTTP/1.1\nTTL: 60\nContent-Encoding: aes128gcm\n")
        #expect(text.extent == .head && text.omissions == ["the body, which the text lacks"])
        #expect(judge(text).findings.refusals.map(\.reason) == [.badAuthorizationHeader])
        let other = try read("POST /QA HTTP/1.1\nTTL: 60\nContent-Encoding: gzip\n")
        #expect(judge(other).findings.refusals.map(\.reason) == [.badAuthorizationHeader, .badWebPushRequest])
        let empty = try read("POST /QA HTTP/1.1\nTTL: 60\nContent-Encoding: aes128gcm\nContent-Length: 0\n")
        #expect(empty.extent == .request && empty.omissions.isEmpty)
    }

    @Test("what curl -v prints is read, without what was received")
    func verboseOutput() throws {
        let text = try read(
            """
            * Connected to web.push.apple.com (17.0.0.1) port 443
            > POST /QAbc_-1 HTTP/2\r
            > Host: web.push.apple.com\r
            > TTL: 60\r
            > \r
            * upload completely sent off
            < HTTP/2 400\r
            < ttl: 1\r
            {"reason":"BadTtl"}
            """)
        #expect(text.request.method == "POST" && text.request.path == "/QAbc_-1")
        #expect(text.request["ttl"] == "60" && text.origin == .apple)
    }

    @Test(
        "header fields are read from a JSON object, also from a push of Mynah's journal",
        arguments: [
            #"{"TTL": 60, "Authorization": "vapid t=a.b.c, k=BA"}"#,
            #"{"id": "x", "headers": [["ttl", "60"], ["authorization", "vapid t=a.b.c, k=BA"]]}"#,
        ])
    func objectOfHeaders(json: String) throws {
        let text = try read(json)
        #expect(text.extent == .head && text.request["ttl"] == "60")
        #expect(text.request["authorization"] == "vapid t=a.b.c, k=BA")
    }

    @Test("a token alone is judged without its key, or with the one that is given")
    func tokenAlone() throws {
        let now = Instant(seconds: 0)
        let key = try P256PrivateKey.generate()
        let value = try key.vapidAuthorization(
            audience: .apple, expiresAt: now.advanced(by: .seconds(3600)), subject: "mailto:a@localhost")
        let token = try #require(value.firstMatch(of: /t=([^,]+)/)?.1)
        let text = try read(" \(token)\n")
        #expect(text.extent == .token(String(token)))
        let context = WebPushContext(now: now, origin: .apple, endpoint: .unasked)
        let other = try P256PrivateKey.generate().publicKey.point
        for (known, count) in [(nil, 1), (key.publicKey.point, 1), (other, 2)] {
            let judgement = WebPushAdmission.judge(
                token: String(token), of: known, in: context, verify: VapidProof.verify)
            #expect(judgement.findings.refusals.map(\.reason) == Array(repeating: .badJwtToken, count: count))
        }
        let judgement = WebPushAdmission.judge(token: String(token), of: nil, in: context, verify: VapidProof.verify)
        let explained = WebPushExplanation(judgement, of: text, in: context).text
        #expect(explained.hasPrefix("Apple would refuse this token: 403 BadJwtToken\n"))
        #expect(explained.contains("not judged: which key has signed it, the rest of the request"))
    }

    @Test("comments before a request don't count")
    func comments() throws {
        let text = try read("# as sent\n\n# twice\nPOST /QAbc_-1 HTTP/1.1\nTTL: 60\n\n# body")
        #expect(text.request["ttl"] == "60" && text.request.body == Array("# body".utf8))
        #expect(try read("# a push\n$ curl -H 'TTL: 60' \(endpoint)").request["ttl"] == "60")
    }

    @Test("header fields without a request line have no path that could be judged")
    func fieldsAlone() throws {
        let text = try read("Authorization: vapid t=a.b.c, k=BA\nTTL: 60\n")
        #expect(text.omissions == ["the path", "the body"])
        #expect(!judge(text).findings.refusals.contains { $0.reason == .badPath })
    }

    @Test("a request line is read without its version", arguments: ["/QAbc_-1", "https://web.push.apple.com/QAbc_-1"])
    func lineWithoutVersion(target: String) throws {
        let text = try read("POST \(target)\nTTL: 60\n\n")
        #expect(text.request.method == "POST")
        #expect(text.request.path == "/QAbc_-1")
        #expect(text.omissions.isEmpty)
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
        context.unseen = text.unseen
        let copied = judge(text)
        #expect(copied.findings.refusals.isEmpty)
        let explained = WebPushExplanation(copied, of: text, in: context).text
        #expect(explained.contains("not judged: the token's signature, which was left out"))
    }

    private func judge(_ text: WebPushText) -> WebPushJudgement {
        var context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        context.unseen = text.unseen
        return WebPushAdmission.judge(text.request, in: context, verify: VapidProof.verify)
    }

    @Test("a body is called base64 if it decodes to an encrypted one, and not for its letters alone")
    func bodyInBase64() throws {
        let header = [UInt8](repeating: 0, count: 18) + [16, 0, 65, 4] + [UInt8](repeating: 1, count: 64)
        for (body, isBase64) in [("hello", false), ("AAAA", false), (Base64.encode(header + [1]), true)] {
            let judged = judge(try read("POST /QA\nTTL: 60\nContent-Encoding: aes128gcm\n\n\(body)"))
            let cause = try #require(judged.findings.refusals.first { $0.reason == .badWebPushRequest }?.cause)
            #expect(cause.contains("does not begin with the header of aes128gcm"))
            #expect(cause.contains("the body is base64") == isBase64)
        }
    }

    @Test(
        "header fields are read as Go prints them",
        arguments: [
            "map[Authorization:[vapid t=a.b.c, k=BA] Ttl:[60]]",
            "Header:map[Ttl:[60] Authorization:[vapid t=a.b.c, k=BA]]",
            #"{"Authorization":["vapid t=a.b.c, k=BA"],"Ttl":["60"]}"#,
            #"{"headers":{"TTL":[60],"Authorization":["vapid t=a.b.c, k=BA"]}}"#,
        ])
    func fieldsOfGo(printed: String) throws {
        let text = try read(printed)
        #expect(text.extent == .head)
        #expect(text.request["ttl"] == "60")
        #expect(text.request["authorization"] == "vapid t=a.b.c, k=BA")
    }

    @Test("a request is read as Go prints it, of which the body is not known")
    func requestOfGo() throws {
        let text = try read(
            "&{Method:POST URL:\(endpoint) Proto:HTTP/1.1 ProtoMajor:1 Header:map[Content-Encoding:[aes128gcm] Ttl:[60]] "
                + "Body:{Reader:0xc00012} GetBody:0x6a3 ContentLength:300 TransferEncoding:[] Host:web.push.apple.com}")
        #expect(text.request.method == "POST" && text.request.path == "/QAbc_-1" && text.origin == .apple)
        #expect(text.request.fields.map(\.name) == ["content-encoding", "ttl", "host"])
        #expect(text.omissions == ["the body, of which the text has 0 of 300 bytes"])
    }

    @Test(
        "the details of a request that Node's web-push makes are read with their body",
        arguments: [
            (#"{"type":"Buffer","data":[1,2,255]}"#, [1, 2, 255]), (#"{"0":1,"1":2}"#, [1, 2]), ("[3]", [3]),
            (#""hi""#, Array("hi".utf8)), ("null", []),
        ] as [(String, [UInt8])])
    func requestDetails(body: String, bytes: [UInt8]) throws {
        let text = try read(
            #"{"method":"PUT","headers":{"TTL":60,"Content-Encoding":"aes128gcm"},"body":\#(body),"endpoint":"\#(endpoint)"}"#
        )
        #expect(text.extent == .request && text.omissions.isEmpty)
        #expect(text.request.method == "PUT" && text.request.path == "/QAbc_-1" && text.origin == .apple)
        #expect(text.request["ttl"] == "60")
        #expect(text.request.body == bytes)
        let bare = try read(#"{"headers":{"TTL":60,"Content-Encoding":"aes128gcm"},"url":"\#(endpoint)"}"#)
        #expect(bare.request.method == "POST" && bare.omissions == ["the body, which the text lacks"])
    }

    @Test("a byte order mark and a code fence are no part of what is read")
    func marks() throws {
        let request = "POST /QA HTTP/1.1\nTTL: 60\n\nbody"
        for text in ["\u{FEFF}\(request)", "```http\n\(request)\n```\n", "\n~~~\n# mine\n\(request)\n~~~\nmore: 1"] {
            let read = try read(text)
            #expect(read.request.path == "/QA" && read.request["ttl"] == "60")
            #expect(read.request.body == Array("body".utf8))
        }
        #expect(try read("```sh\ncurl -H 'TTL: 60' \(endpoint)\n```").request["ttl"] == "60")
        let wide = #expect(throws: CommandFailure.self) {
            try WebPushText([0xFF, 0xFE] + "POST".utf8.flatMap { [$0, 0] }) { _ in nil }
        }
        #expect(wide?.message.hasPrefix("the input is text in UTF-16, not in UTF-8: expected UTF-8.") == true)
    }

    @Test("other input is refused, with what was expected")
    func refused() {
        let cases = [
            ("hello", "expected an HTTP request"), ("", "expected an HTTP request"), ("# POST", "expected an HTTP"),
            ("{ TTL: 60 }", "expected an object as JSON.stringify or json.dumps prints it"),
            (#"{"headers":{},"url":"https://a/Q","body":[1,256]}"#, "body is an array: expected text, null, or bytes"),
            ("TTL: 60\n", "header fields with Authorization"), ("{\"ttl\": 60}", "header fields with Authorization"),
        ]
        for (text, message) in cases {
            let failure = #expect(throws: CommandFailure.self) { try read(text) }
            #expect(failure?.status == .usage)
            #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
        }
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
