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
        context.unseen = text.unseen
        return WebPushAdmission.judge(text.request, in: context, verify: VapidProof.verify)
    }

    /// An `Authorization` that Apple accepts.
    private func authorization() throws -> String {
        try P256PrivateKey.generate().vapidAuthorization(
            audience: .apple, expiresAt: Instant(seconds: 3600), subject: "mailto:a@example.com")
    }

    @Test("a command is read with quotes, joined lines and joined options")
    func command() throws {
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
        #expect(text.extent == .request)
    }

    @Test("the command of pywebpush is read, with blanks behind its backslashes")
    func ofPywebpush() throws {
        let command = "curl -vX POST \(endpoint) \\\n-H \"ttl: 0\" \\ \n-HTopic:abcd \\ \n--data-binary @encrypted.data"
        let text = try read(command, files: ["encrypted.data": [1, 2]])
        #expect(text.request.method == "POST")
        #expect(text.request.path == "/QAbc_-1")
        #expect(text.request["ttl"] == "0")
        #expect(text.request["topic"] == "abcd")
        #expect(text.request.body == [1, 2])
    }

    @Test("a command ends with its line, and an option of another URL has its value")
    func lines() throws {
        let text = try read(
            """
            curl --proxy http://localhost:8888 -X POST -H 'TTL: 60' \(endpoint)
            # later
            echo done -H 'Topic: a' -X PUT
            """)
        #expect(text.request.method == "POST")
        #expect(text.request["ttl"] == "60")
        #expect(text.request["topic"] == nil)
    }

    @Test("a command posts if it has a body, and gets if it has none")
    func method() throws {
        #expect(try read("curl \(endpoint)").request.method == "GET")
        let posted = try read("curl -d '{\"a\":1}' -d b \(endpoint)")
        #expect(posted.request.method == "POST")
        #expect(posted.request.body == Array("{\"a\":1}&b".utf8))
        #expect(try read("curl --json '{}' --url \(endpoint)").request.body == Array("{}".utf8))
        #expect(try read("curl -XPUT \(endpoint)").request.method == "PUT")
    }

    @Test("data is a file's, without its line ends unless they are sent")
    func files() throws {
        let files: [String: [UInt8]] = ["f": Array("a\r\nb\n".utf8), "zero": [0, 1]]
        for (option, body) in [
            ("-d @f", "ab"), ("--data @f", "ab"), ("--data-binary @f", "a\r\nb\n"), ("--json @f", "a\r\nb\n"),
            ("--data-raw @f", "@f"), ("-d@f", "ab"),
            ("-d @zero", "\u{1}"),
        ] {
            #expect(try read("curl \(option) \(endpoint)", files: files).request.body == Array(body.utf8), "\(option)")
        }
    }

    @Test(
        "a body that isn't here is not judged, but needs a Content-Encoding",
        arguments: [
            ("--data-binary @gone", "the body, which is in the file gone"),
            ("-d @-", "the body, which is in the file -"), ("-d a -d @gone", "the body, which is in the file gone"),
            ("-d \"$BODY\"", "the body, which has $BODY of the shell"),
            ("-d \"$(cat body)\"", "the body, which has $(cat body) of the shell"),
            ("-d $(cat body | base64 -d; x)", "the body, which has $(cat body | base64 -d; x) of the shell"),
            ("-d a`cat body | head`", "the body, which has `cat body | head` of the shell"),
            (
                #"-d "$(cat "a b" | f '(' $(x \)))""#,
                #"the body, which has $(cat "a b" | f '(' $(x \))) of the shell"#
            ),
        ])
    func bodyElsewhere(option: String, clause: String) throws {
        let rest = "\(option) -H 'TTL: 60' -H 'Authorization: \(try authorization())' \(endpoint)"
        let plain = try read("curl \(rest)")
        #expect(plain.request.method == "POST")
        #expect(judge(plain).findings.refusals.map(\.reason) == [.badWebPushRequest])
        let encoded = try read("curl -H 'Content-Encoding: aes128gcm' \(rest)")
        #expect(encoded.extent == .head && encoded.omissions == [clause])
        #expect(judge(encoded).refusal == nil)
    }

    @Test("a header with a colon and no value is not sent, and one with a semicolon is sent empty")
    func emptyHeaders() throws {
        let text = try read(
            "curl -X POST -H 'TTL: 60' -H 'Urgency:' -H 'X-A: ' -H 'Topic;' -H 'X-B; c' -H d \(endpoint)")
        #expect(text.request.fields.map(\.name) == ["ttl", "topic", "host"])
        #expect(text.request["topic"] == "")
        #expect(judge(text).findings.refusals.map(\.reason) == [.badAuthorizationHeader, .badWebPushTopic])
    }

    @Test(
        "a command ends where the shell says, and values of other options are no URLs",
        arguments: [
            "| jq .", "|| echo no", "2>/dev/null", "> out 2>&1", "&>out", "< in", "&& echo hi", "; x", "& x", "# a b",
            "<<END\n-X PUT\nEND", "--retry-delay 1", "--tls-max 1.3", "-sS --proxy-cert a", "-vY 1", "-o out",
            "-g", "--globoff", "--help", "--user-agent a", "-e https://shop.example/", "-ohttps://d", "-sSo -H",
            "--no-buffer", "a b",
        ])
    func within(rest: String) throws {
        for command in ["curl -H 'TTL: 60' \(endpoint) \(rest)", "curl -H 'TTL: 60;|>' \(endpoint) \(rest)"] {
            let text = try read(command)
            #expect(text.request.method == "GET")
            #expect(text.request.path == "/QAbc_-1")
            #expect(text.origin == .apple)
            #expect(text.request["ttl"]?.hasPrefix("60") == true)
        }
        #expect(try read("curl \(endpoint) >out -H 'TTL: 1'").request["ttl"] == "1")
    }

    @Test(
        "what can't be read is told",
        arguments: [
            ("curl -H 'TTL: 60'", "the curl command has no URL that begins with https://"),
            ("curl web.push.apple.com/QA", "the curl command has no URL that begins with https://"),
            ("curl -d a $EP", "the curl command has no URL that begins with https://"),
            ("curl 'https://a", "the command ends inside quotes"),
            ("curl https://a/Q -d $(cat b", "the command ends inside $(: expected the end of that command"),
            ("curl https://a/Q -H", "-H of the curl command has no value"),
            ("curl https://a/Q --header='TTL: 1'", "--header of the curl command has no value"),
            ("curl https://a/Q --url https://b", "the curl command has two URLs, https://a/Q and https://b"),
            ("curl https://a/$B", "the URL https://a/$B of the curl command has $B of the shell: expected its value"),
            ("curl https://a/Q -H \"TTL: ${TTL}\"", "the header TTL of the curl command has ${TTL} of the shell"),
            ("curl https://a/Q -H\"Topic: `t`\"", "the header Topic of the curl command has `t` of the shell"),
            ("curl https://a/Q -H @h", "-H @h of the curl command names a file: expected a header"),
            ("curl http://a/Q", "the URL http://a/Q is not https: expected https://"),
            ("POST http://a/Q HTTP/1.1\nTTL: 60\n", "the URL http://a/Q is not https: expected https://"),
            ("curl --url a/Q", "the URL a/Q of the curl command has no scheme: expected https://"),
            ("curl -F a=b https://a/Q", "-F of the curl command changes the request: expected -X, -H, -d"),
            ("curl -sSG -d a https://a/Q", "-G of the curl command changes the request"),
            ("curl --config set", "--config of the curl command changes the request"),
            ("curl -u user:pass https://a/Q", "-u of the curl command changes the request"),
            ("curl https://a/Q --request-target /b", "--request-target of the curl command changes the request"),
            (
                "curl https://a/Q --heade 'TTL: 60'",
                "--heade of the curl command is no option that is read: did you mean --header?"
            ),
            (
                "curl https://a/Q --headers a",
                "--headers of the curl command is no option that is read: did you mean --header?"
            ),
            (
                "curl https://a/Q --data-bniary a",
                "--data-bniary of the curl command is no option that is read: did you mean"
            ),
            ("curl https://a/{Q,R}", "the URL https://a/{Q,R} of the curl command has braces or brackets"),
            ("curl 'https://[::1]/Q[1-3]'", "the URL https://[::1]/Q[1-3] of the curl command has braces or brackets"),
        ])
    func refused(text: String, message: String) {
        let failure = #expect(throws: CommandFailure.self) { try read(text) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
    }

    @Test(
        "curl is recognised by its path, and behind variables",
        arguments: [
            "time curl", "$ time -p env A=1 curl", "command /usr/bin/curl", "/usr/bin/curl", "VAR=1 curl",
            "A='b c' D=\"e f\"g /opt/bin/curl", "$ A= curl", "  curl",
        ])
    func program(name: String) throws {
        let text = try read("\(name) -X POST -H 'TTL: 60' \(endpoint)")
        #expect(text.request.method == "POST")
        #expect(text.request["ttl"] == "60")
        #expect(text.origin == .apple)
    }

    @Test("braces and brackets stand for themselves if the command says so, and those of an address always do")
    func globs() throws {
        for command in ["curl -g https://a/{Q}", "curl https://a/{Q} --globoff", "curl -gsS https://a/{Q}"] {
            #expect(try read(command).request.path == "/{Q}")
        }
        #expect(try read("curl 'https://[::1]:2443/Q'").origin == WebPushOrigin(host: "[::1]", port: 2443))
    }

    @Test("other words that have curl in them are no curl command", arguments: ["mycurl -d a", "curling a", "a curl"])
    func otherPrograms(text: String) {
        #expect(throws: CommandFailure.self) { try read("\(text) \(endpoint)") }
    }

    @Test("words are split as a shell does")
    func words() throws {
        func texts(_ text: String) throws -> [String] { try ShellWords.words(text).map(\.text) }
        #expect(
            try texts(#"a 'b c' "d \"e\" \f" g\ h '' i"j"'k'"#) == ["a", "b c", "d \"e\" \\f", "g h", "", "ijk"])
        #expect(try texts("a \\\r\n  b\t\\\n c") == ["a", "b", "c"])
        #expect(try texts(#"$'a\'b\n\x41\u00e4\\' 'c\'"#) == ["a'b\nAä\\", #"c\"#])
        let expansions = try ShellWords.words(#"'$A' "$B c" \$D $'$E' a$ ${F}g "`h`" $(i j)"#).map(\.expansion)
        #expect(expansions == [nil, "$B", nil, nil, nil, "${F}", "`h`", "$(i j)"])
        #expect(try texts("a$(b | c \">\" $((1 + 2)); d)e f") == ["a$(b | c \">\" $((1 + 2)); d)e", "f"])
    }
}
