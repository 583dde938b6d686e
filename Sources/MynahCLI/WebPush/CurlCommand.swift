import APNsRules
import MynahCore

/// The request of a `curl` command.
struct CurlCommand {
    let request: WebPushRequest
    /// The origin of its URL; `nil` if a file that can't be read may have that.
    let origin: WebPushOrigin?
    let omissions: WebPushOmissions

    /// The part of a text that begins with `curl`, behind variables that the shell sets for it and the path of the
    /// program; `nil` if the text is no such command.
    static func text(in text: Substring) -> Substring? {
        // Text before it is that of a line which sets variables: `TOKEN=a NAME='b c' /usr/bin/curl …`.
        let assignment = /[A-Za-z_][A-Za-z0-9_]*=(?:"[^"]*"|'[^']*'|[^\s"'])*\s+/
        var rest = text
        while let match = rest.prefixMatch(of: assignment) { rest = rest[match.range.upperBound...] }
        guard let match = rest.prefixMatch(of: /(?:[^\s"']*[\/\\])?(curl(?:\.exe)?)\s/.ignoresCase()) else {
            return nil
        }
        return rest[match.1.startIndex...]
    }

    init(_ text: some StringProtocol, readFile: (String) -> [UInt8]?) throws(CommandFailure) {
        var reading = CurlReading()
        var words = try CurlCommand.words(of: String(text)).dropFirst()
        while let word = words.popFirst() {
            guard word.text.hasPrefix("-") else {
                // A backslash before a blank in place of a line's end makes a word of it.
                if !word.text.allSatisfy(\.isWhitespace) { try reading.take(url: word) }
                continue
            }
            let (found, valued) = try CurlOptions.read(word.text)
            reading.options.formUnion(found)
            guard let (option, joined) = valued else { continue }
            guard var holder = joined == nil ? words.popFirst() : word else {
                throw CommandFailure(.usage, "\(option) of curl has no value: expected one")
            }
            holder.text = joined ?? holder.text
            reading.options.insert(option)
            try reading.take(option, holder, readFile: readFile)
        }
        let read = try reading.parts()
        request = read.request
        origin = read.origin
        omissions = read.omissions
    }

    private static func words(of text: String) throws(CommandFailure) -> [ShellWords.Word] {
        CommandPromptWords.areMeant(by: text) ? try CommandPromptWords.words(text) : try ShellWords.words(text)
    }
}

/// What the words of a `curl` command have said so far.
private struct CurlReading {
    private static let ofConfiguration: Set<String> = ["-K", "--config"]
    /// How a form begins that `curl` makes of its parts: the dashes of the first boundary.
    private static let formStart = Array((String(repeating: "-", count: 24) + "\r\n").utf8)

    var options: Set<String> = []
    private var method: String?
    private var url: String?
    /// The scheme of a URL that has none.
    private var usualScheme = "http"
    private var fields: [HTTPField] = []
    private var data: [[UInt8]] = []
    private var queries: [String] = []
    private var omissions = WebPushOmissions()

    /// Takes an option with its value, which is the text of the word.
    mutating func take(
        _ option: String, _ word: ShellWords.Word, readFile: (String) -> [UInt8]?
    ) throws(CommandFailure) {
        let value = word.text
        switch option {
        case "-X", "--request": method = value
        case "--url": try take(url: word)
        case "--proto-default": usualScheme = value
        case "--url-query": queries.append(value)
        case "-A", "--user-agent": fields.append(HTTPField("user-agent", value))
        case "-H", "--header": takeHeader(word, readFile: readFile)
        case "-K", "--config": omissions.add("what the file \(value) of curl's options has", .fields, .body)
        case "-F", "--form", "--form-string":
            omissions.add("the body, which is a form")
            data.append(CurlReading.formStart)
        case "--data-urlencode": omissions.add("the body, which --data-urlencode encodes", .bodyBytes)
        case _ where CurlOptions.ofData.contains(option):
            guard word.expansions.isEmpty else {
                omissions.add("the body, which has \(CurlReading.named(word.expansions)) of the shell", .bodyBytes)
                return
            }
            switch CurlReading.data(value, of: option, readFile: readFile) {
            case .bytes(let bytes): data.append(bytes)
            case .missing(let path): omissions.add("the body, which is in the file \(path)", .bodyBytes)
            }
        default: return
        }
    }

    /// Takes the URL of a command, which has one.
    mutating func take(url word: ShellWords.Word) throws(CommandFailure) {
        let text = word.text
        if let url {
            throw CommandFailure(.usage, "the curl command has two URLs, \(url) and \(text): expected one")
        }
        guard word.expansions.isEmpty, !text.contains("$") else {
            throw CommandFailure(.usage, "the URL \(text) of the curl command has a shell variable: expected its value")
        }
        url = text
    }

    /// Takes the fields of `-H`: one, or those in a file.
    private mutating func takeHeader(_ word: ShellWords.Word, readFile: (String) -> [UInt8]?) {
        guard word.text.hasPrefix("@") else {
            let isNameKnown = !word.text.prefix { $0 != ":" }.contains { "$`%".contains($0) }
            guard word.expansions.isEmpty || isNameKnown else {
                omissions.add(
                    "the headers, of which one is \(CurlReading.named(word.expansions)) of the shell", .fields)
                return
            }
            guard let field = CurlReading.field(word.text) else { return }
            guard word.expansions.isEmpty else {
                // What the shell would send in their place isn't known.
                let name = word.text.prefix { $0 != ":" }
                omissions.add(
                    "the header \(name), which has \(CurlReading.named(word.expansions)) of the shell",
                    .field(field.name))
                return
            }
            if !word.quoted.isEmpty {
                let name = word.text.prefix { $0 != ":" }
                omissions.remark(
                    "the header \(name) has \(CurlReading.named(word.quoted)) in single quotes, in which a shell leaves it "
                        + "as it is: double quotes were expected")
            }
            fields.append(field)
            return
        }
        let path = String(word.text.dropFirst())
        guard path != "-", let bytes = readFile(path) else {
            omissions.add("the headers, which are in the file \(path)", .fields)
            return
        }
        fields += WebPushText.parts(of: bytes).head.compactMap(CurlReading.field)
    }

    /// The field of a header as `curl` reads it; `nil` if none is sent: `Name:` takes out one that `curl` would send of
    /// its own, and `Name;` sends an empty one.
    private static func field(_ text: String) -> HTTPField? {
        guard let colon = text.firstIndex(of: ":") else {
            guard let end = text.firstIndex(of: ";"), text.index(after: end) == text.endIndex else { return nil }
            return HTTPField(text[..<end].lowercased(), "")
        }
        let value = text[text.index(after: colon)...].drop(while: \.isWhitespace)
        return value.isEmpty ? nil : HTTPField(text[..<colon].lowercased(), String(value))
    }

    /// What the command sends, once all its words are taken.
    func parts() throws(CommandFailure) -> (
        request: WebPushRequest, origin: WebPushOrigin?, omissions: WebPushOmissions
    ) {
        var omissions = omissions
        let hasConfiguration = !options.isDisjoint(with: CurlReading.ofConfiguration)
        let address = if let url { try address(of: url) } else { nil as URLParts? }
        guard address != nil || hasConfiguration else {
            throw CommandFailure(.usage, "the curl command has no URL: expected that of a subscription's endpoint")
        }
        if address == nil { omissions.add("the path", .path) }
        let isQuery = !options.isDisjoint(with: CurlOptions.ofQuery)
        if isQuery { omissions.moveBodyToPath() }
        let lacksBytes = omissions.parts.contains(.bodyBytes)
        let sent = Array(data.joined(separator: [UInt8(ascii: "&")]))
        var queries = queries
        if isQuery, !sent.isEmpty { queries.append(String(decoding: sent, as: UTF8.self)) }
        var path = address?.path ?? "/"
        for query in queries { path += (path.contains("?") ? "&" : "?") + query }
        let request = WebPushRequest(
            method: method ?? CurlOptions.method(options) ?? (hasConfiguration ? "POST" : "GET"), path: path,
            fields: fields,
            // Bytes with a gap are no body that could be judged.
            body: isQuery || lacksBytes ? [] : sent, bodyByteCount: isQuery ? 0 : sent.count)
        return (request, address.flatMap { WebPushOrigin(authority: $0.authority) }, omissions)
    }

    private func address(of url: String) throws(CommandFailure) -> URLParts {
        if let address = URLParts(url) {
            guard address.isSecure else { throw URLParts.insecure("the URL \(url) of the curl command") }
            return address
        }
        guard !url.contains("://"), let address = URLParts("\(usualScheme)://\(url)") else {
            throw CommandFailure(.usage, "the URL \(url) of the curl command is none: expected that of an endpoint")
        }
        guard address.isSecure else {
            throw URLParts.insecure("the URL \(url) of the curl command, for which curl takes \(usualScheme),")
        }
        return address
    }

    private static func named(_ expansions: [String]) -> String {
        let commands = expansions.filter { $0.hasPrefix("$(") || $0.hasPrefix("`") }
        let kind = commands.isEmpty ? "variable" : "command"
        return "the \(kind)\(expansions.count > 1 ? "s" : "") \(expansions.joined(separator: ", "))"
    }

    /// What an option sends.
    private enum SentData {
        case bytes([UInt8])
        /// What is in the file of this path, which can't be read.
        case missing(String)
    }

    /// What an option sends: its value, or the file that it names.
    private static func data(_ value: String, of option: String, readFile: (String) -> [UInt8]?) -> SentData {
        let isUpload = option == "-T" || option == "--upload-file"
        guard isUpload || value.hasPrefix("@") && option != "--data-raw" else { return .bytes(Array(value.utf8)) }
        let path = isUpload ? value : String(value.dropFirst())
        guard path != "-", let bytes = readFile(path) else { return .missing(path) }
        // Only these two send line ends.
        return .bytes(isUpload || option == "--data-binary" ? bytes : bytes.filter { ![0x0A, 0x0D].contains($0) })
    }
}
