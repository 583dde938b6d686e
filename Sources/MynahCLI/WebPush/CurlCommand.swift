import APNsRules
import MynahCore

/// The request of a `curl` command.
struct CurlCommand {
    let request: WebPushRequest
    /// The origin of its URL; `nil` if a file that can't be read may have that.
    let origin: WebPushOrigin?
    let omissions: WebPushOmissions

    init(_ text: some StringProtocol, readFile: (String) -> [UInt8]?) throws(CommandFailure) {
        var words = try ShellWords.words(String(text)).dropFirst()
        var given: (method: String?, url: String?) = (nil, nil)
        var flags: Set<String> = []
        var omissions = WebPushOmissions()
        var fields: [HTTPField] = []
        var parts: [[UInt8]] = []
        while let first = words.popFirst() {
            let word = first.text
            guard word.hasPrefix("-") else {
                // A backslash before a blank in place of a line's end makes a word of it.
                if !word.allSatisfy(\.isWhitespace) { given.url = try CurlCommand.url(word, after: given.url) }
                continue
            }
            let (found, valued) = CurlOptions.read(word)
            flags.formUnion(found)
            guard let (option, joined) = valued else { continue }
            guard let holder = joined == nil ? words.popFirst() : first else {
                throw CommandFailure(.usage, "\(option) of curl has no value: expected one")
            }
            let value = joined ?? holder.text
            flags.insert(option)
            switch option {
            case "-X", "--request": given.method = value
            case "--url": given.url = try CurlCommand.url(value, after: given.url)
            case _ where CurlOptions.ofData.contains(option) && !holder.expansions.isEmpty:
                omissions.add("the body, which has \(CurlCommand.named(holder.expansions)) of the shell", .body)
            case "-A", "--user-agent": fields.append(HTTPField("user-agent", value))
            case "-H", "--header": fields += CurlCommand.headerFields(value, holder, readFile: readFile, &omissions)
            case "-K", "--config": omissions.add("what the file \(value) of curl's options has", .fields, .body)
            case "-F", "--form", "--form-string": omissions.add("the body, which is a form", .body)
            case "--data-urlencode": omissions.add("the body, which --data-urlencode encodes", .body)
            case _ where CurlOptions.ofData.contains(option):
                switch CurlCommand.data(value, of: option, readFile: readFile) {
                case .bytes(let bytes): parts.append(bytes)
                case .missing(let path): omissions.add("the body, which is in the file \(path)", .body)
                }
            default: continue
            }
        }
        let hasConfiguration = !flags.isDisjoint(with: ["-K", "--config"])
        let address = given.url.flatMap { URLParts($0.contains("://") ? $0 : "https://\($0)") }
        guard address != nil || hasConfiguration && given.url == nil else {
            throw CommandFailure(.usage, "the curl command has no URL: expected that of a subscription's endpoint")
        }
        if address == nil { omissions.add("the path", .path) }
        self.omissions = omissions
        origin = address.flatMap { WebPushOrigin(authority: $0.authority) }
        let data = Array(parts.joined(separator: [UInt8(ascii: "&")]))
        let usual = CurlOptions.method(flags) ?? (hasConfiguration ? "POST" : "GET")
        var path = address?.path ?? "/"
        let isQuery = !flags.isDisjoint(with: CurlOptions.ofQuery)
        if isQuery, !data.isEmpty { path += (path.contains("?") ? "&" : "?") + String(decoding: data, as: UTF8.self) }
        request = WebPushRequest(
            method: given.method ?? usual, path: path, fields: fields, body: isQuery ? [] : data)
    }

    private static func named(_ expansions: [String]) -> String {
        let commands = expansions.filter { $0.hasPrefix("$(") || $0.hasPrefix("`") }
        let kind = commands.isEmpty ? "variable" : "command"
        return "the \(kind)\(expansions.count > 1 ? "s" : "") \(expansions.joined(separator: ", "))"
    }

    /// The URL of a command, which has one.
    private static func url(_ url: String, after other: String?) throws(CommandFailure) -> String {
        if let other {
            throw CommandFailure(.usage, "the curl command has two URLs, \(other) and \(url): expected one")
        }
        guard !url.contains("$") else {
            throw CommandFailure(.usage, "the URL \(url) of the curl command has a shell variable: expected its value")
        }
        return url
    }

    /// The fields of `-H`: one, or those in a file; `word` is the word that has the value.
    private static func headerFields(
        _ value: String, _ word: ShellWords.Word, readFile: (String) -> [UInt8]?, _ omissions: inout WebPushOmissions
    ) -> [HTTPField] {
        guard value.hasPrefix("@") else {
            guard let colon = value.firstIndex(of: ":") else { return [] }
            let name = value[..<colon]
            guard word.expansions.isEmpty else {
                // What the shell would send in their place isn't known.
                omissions.add(
                    "the header \(name), which has \(CurlCommand.named(word.expansions)) of the shell",
                    .field(name.lowercased()))
                return []
            }
            if !word.quoted.isEmpty {
                omissions.remark(
                    "the header \(name) has \(CurlCommand.named(word.quoted)) in single quotes, in which a shell leaves it "
                        + "as it is: double quotes were expected")
            }
            let text = value[value.index(after: colon)...].drop { $0 == " " }
            return [HTTPField(value[..<colon].lowercased(), String(text))]
        }
        let path = String(value.dropFirst())
        guard path != "-", let bytes = readFile(path) else {
            omissions.add("the headers, which are in the file \(path)", .fields)
            return []
        }
        return WebPushText.fields(of: WebPushText.parts(of: bytes).head)
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

/// The options of `curl`, as its manual has them.
enum CurlOptions {
    /// Options whose values are sent.
    static let ofData: Set<String> = [
        "-d", "--data", "--data-ascii", "--data-binary", "--data-raw", "--json", "-T", "--upload-file",
    ]
    /// Flags that put the data into the URL.
    static let ofQuery: Set<String> = ["-G", "--get"]
    private static let ofUpload: Set<String> = ["-T", "--upload-file"]
    private static let ofHead: Set<String> = ["-I", "--head"]
    /// Options whose values are sent in a form that `curl` makes.
    private static let ofForms: Set<String> = ["--data-urlencode", "-F", "--form", "--form-string"]
    /// Options with a value that are read, besides those of data.
    private static let others: Set<String> = [
        "-X", "--request", "-H", "--header", "-A", "--user-agent", "--url", "-K", "--config",
    ]
    /// Options with a value that say nothing of the request.
    private static let ignored = """
        -b -C -c -D -E -e -m -o -P -Q -r -t -U -u -w -x -Y -y -z --abstract-unix-socket --alt-svc
        --aws-sigv4 --cacert --capath --cert --cert-type --ciphers --connect-timeout --connect-to
        --continue-at --cookie --cookie-jar --create-file-mode --crlfile --curves --delegation
        --dns-interface --dns-ipv4-addr --dns-ipv6-addr --dns-servers --doh-url --dump-header --ech
        --egd-file --engine --etag-compare --etag-save --expect100-timeout --ftp-account
        --ftp-alternative-to-user --ftp-method --ftp-port --ftp-ssl-ccc-mode --happy-eyeballs-timeout-ms
        --haproxy-clientip --hostpubmd5 --hostpubsha256 --hsts --interface --ip-tos --ipfs-gateway
        --keepalive-cnt --keepalive-time --key --key-type --krb --libcurl --limit-rate --local-port
        --login-options --mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs --max-time
        --netrc-file --noproxy --oauth2-bearer --output --output-dir --parallel-max --pass --pinnedpubkey
        --preproxy --proto --proto-default --proto-redir --proxy --proxy-cacert --proxy-capath --proxy-cert
        --proxy-cert-type --proxy-ciphers --proxy-crlfile --proxy-header --proxy-key --proxy-key-type
        --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype
        --proxy-tlspassword --proxy-tlsuser --proxy-user --proxy1.0 --pubkey --quote --random-file --range
        --rate --referer --request-target --resolve --retry --retry-delay --retry-max-time --sasl-authzid
        --service-name --sigalgs --socks4 --socks4a --socks5 --socks5-gssapi-service --socks5-hostname
        --speed-limit --speed-time --stderr --telnet-option --tftp-blksize --time-cond --tls-max
        --tls13-ciphers --tlsauthtype --tlspassword --tlsuser --trace --trace-ascii --trace-config
        --unix-socket --url-query --user --variable --vlan-priority --write-out
        """
    private static let valued = Set(ignored.split(whereSeparator: \.isWhitespace).map(String.init))
        .union(ofData).union(ofForms).union(others)

    /// The flags in a word, and its option that takes a value, with that if it is in the same word, as in `-HTTL:0` and
    /// `-vXPOST`.
    static func read(_ word: String) -> (flags: [String], valued: (option: String, joined: String?)?) {
        guard !word.hasPrefix("--") else { return valued.contains(word) ? ([], (word, nil)) : ([word], nil) }
        let letters = word.dropFirst()
        let place = letters.firstIndex { valued.contains("-\($0)") }
        let flags = letters[..<(place ?? letters.endIndex)].map { "-\($0)" }
        guard let place else { return (flags, nil) }
        let rest = letters[letters.index(after: place)...]
        return (flags, ("-\(letters[place])", rest.isEmpty ? nil : String(rest)))
    }

    /// The method of a command with these options and no `-X`; `nil` if they don't say.
    static func method(_ options: Set<String>) -> String? {
        if !options.isDisjoint(with: ofHead) { return "HEAD" }
        if !options.isDisjoint(with: ofQuery) { return "GET" }
        if !options.isDisjoint(with: ofUpload) { return "PUT" }
        return options.isDisjoint(with: ofData.union(ofForms)) ? nil : "POST"
    }
}
