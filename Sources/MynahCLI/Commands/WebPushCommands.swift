import APNsRules
import ArgumentParser
import MynahClient
import MynahCore
import MynahTrust

struct WebPushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webpush", abstract: "Says what Apple's Web Push service would answer to a request.",
        subcommands: [WebPushExplainCommand.self])
}

struct WebPushExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Reads a web push, and prints what Apple would answer and why.",
        discussion: """
            Reads an HTTP request, header fields, a VAPID token, or a curl command, and
            prints everything that is wrong with it, with the reason that Apple would give
            and how that is known: documented, observed or inferred. No server is needed.

              mynah webpush explain request.txt
              pbpaste | mynah webpush explain
              mynah webpush explain --at 2026-11-28T12:00:00Z request.txt

            Header fields may be those of a JSON object, such as that of Node's web-push
            (generateRequestDetails), or what curl -v or Go prints. Of a curl
            command, the https:// URL, -X, -H, -d, --data…, --json and --url are read;
            files of data are read too, and variables of the shell are named.

            Exit codes: 0 Apple would accept it, 1 it would refuse it.
            """)

    @Argument(help: .value("file", "The file to read; - is standard input.")) var file = "-"
    @Option(
        help: .value("time", "When it was sent, RFC 3339 (default: now)."),
        transform: WebPushExplainCommand.readTime)
    var at: Instant?
    @Option(
        help: .value("url", "The endpoint or its origin, where the input doesn't say (default: Apple's)."),
        transform: WebPushExplainCommand.readOrigin)
    var endpoint: WebPushOrigin?
    @Option(
        help: .value("key", "The applicationServerKey of the subscription, to compare with that of the request."),
        transform: WebPushExplainCommand.readKey)
    var applicationServerKey: [UInt8]?
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let text = try WebPushText(NamedFile.bytes(file, orStandardInput: true)) { path in
            (try? FileAccess.read(path)) ?? nil
        }
        var context = WebPushContext(
            now: at ?? Terminal.now, origin: text.origin ?? endpoint ?? .apple, endpoint: .unasked)
        context.unseen = text.unseen
        if let applicationServerKey { context.endpoint = .active(applicationServerKey: applicationServerKey) }
        let verify = VapidProof.verify
        let judgement =
            switch text.extent {
            case .token(let token):
                WebPushAdmission.judge(token: token, of: applicationServerKey, in: context, verify: verify)
            case .credential: WebPushAdmission.judgeCredential(of: text.request, in: context, verify: verify)
            case .head, .request: WebPushAdmission.judge(text.request, in: context, verify: verify)
            }
        let explanation = WebPushExplanation(judgement, of: text, in: context)
        try Terminal.out(json ? explanation.json.encodedText : explanation.text)
        if !explanation.isAccepted { throw ExitCode(CommandStatus.unmet.rawValue) }
    }

    private static func readTime(_ text: String) throws -> Instant {
        guard let time = Instant(rfc3339: text) else {
            throw ValidationError("expected a time like 2026-11-28T12:00:00Z")
        }
        return time
    }

    private static func readOrigin(_ text: String) throws -> WebPushOrigin {
        guard let url = URLParts(text), url.scheme == "https",
            let origin = WebPushOrigin(authority: url.authority)
        else {
            throw ValidationError("expected a URL like https://localhost:28443/Q…")
        }
        return origin
    }

    private static func readKey(_ text: String) throws -> [UInt8] {
        switch P256Point(text) {
        case .bytes(let bytes): return bytes
        case .problem(let problem): throw ValidationError("the key \(problem): expected \(P256Point.expected)")
        }
    }
}

/// What `mynah webpush explain` prints.
struct WebPushExplanation {
    private let judgement: WebPushJudgement
    /// What was given, with a demonstrative.
    private let subject: String
    /// What nobody could judge, a clause each.
    private let notJudged: [String]

    init(_ judgement: WebPushJudgement, of text: WebPushText, in context: WebPushContext) {
        self.judgement = judgement
        subject =
            switch text.extent {
            case .token: "this token"
            case .credential: "this header"
            case .head: "these headers"
            case .request: "this request"
            }
        let key = context.endpoint == .unasked ? " and has this applicationServerKey" : ""
        let lacksSignature = context.unseen.contains(.signature) && judgement.token?.signature?.isEmpty == true
        let signature = lacksSignature ? ["the token's signature, which was left out as in Mynah's journal"] : []
        let isToken = if case .token = text.extent { true } else { false }
        let signer = isToken && context.endpoint == .unasked ? ["which key has signed it"] : []
        notJudged = signature + signer + text.omissions + ["whether the subscription exists\(key)"]
    }

    var isAccepted: Bool { judgement.refusal == nil }

    /// What `--json` prints; it is by hand because no call answers it, and so no schema describes it.
    var json: JSONValue {
        [
            "accepted": .bool(isAccepted), "status": .whole(judgement.status),
            "reason": .text(judgement.refusal?.reason.rawValue),
            "refusals": .array(judgement.findings.refusals.map(\.json)),
            "warnings": .texts(judgement.findings.warnings), "notJudged": .texts(notJudged),
        ]
    }

    var text: String {
        var lines: [String]
        if let refusal = judgement.refusal {
            lines = ["Apple would refuse \(subject): \(refusal.reason.status) \(refusal.reason.rawValue)", ""]
            lines += judgement.findings.refusals.map {
                "  \($0.reason.status) \($0.reason.rawValue) (\($0.evidence.rawValue)): \($0.cause)"
            }
            lines.append("")
        } else {
            lines = ["Apple would accept \(subject): \(judgement.status)"]
        }
        lines += judgement.findings.warnings.map { "warning: \($0)" }
        lines.append("not judged: " + notJudged.joined(separator: ", "))
        return lines.joined(separator: "\n")
    }
}
