import APNsRules
import MynahCore

/// The request of a `curl` command in a POSIX shell: its URL, which is the word that begins with `https://`, its method,
/// header fields and data.
///
/// Of other options the words are passed over, so that none has to be known; but those that would change the request are
/// named, and so are those that are nearly one of these.
struct CurlCommand {
    /// Options that aren't read and have a URL as their value, which is not that of the request.
    private static let passedURLs: Set<String> = [
        "doh-url", "preproxy", "proxy", "proxy1.0", "referer", "socks4", "socks4a", "socks5", "socks5-hostname",
    ]
    /// Options that are read, by their letter or their name; each has a value.
    private static let read: Set<String> = [
        "X", "H", "d", "request", "header", "data", "data-ascii", "data-binary", "data-raw", "json", "url",
    ]
    /// Options that would change the request.
    private static let refused: Set<String> = [
        "F", "G", "I", "K", "T", "u", ":", "form", "form-string", "get", "head", "config", "upload-file", "user",
        "oauth2-bearer", "data-urlencode", "url-query", "next", "aws-sigv4", "request-target", "expand-data",
        "expand-header", "expand-json", "expand-url",
    ]
    /// The letters of other options that have a value.
    private static let valued: Set<Character> = Set("AbcCDeEhmoPQrtUwxYyz")

    private var givenMethod: String?
    private var givenURL: String?
    private(set) var fields: [HTTPField] = []
    private var data: [[UInt8]] = []
    /// Whether braces and brackets of the URL stand for themselves.
    private var isGlobbingOff = false
    /// What the command doesn't have of the body, a clause; `nil` if the body is known.
    private(set) var missingBody: String?

    var method: String { givenMethod ?? (data.isEmpty ? "GET" : "POST") }
    var body: [UInt8] { missingBody == nil ? Array(data.joined(separator: [UInt8(ascii: "&")])) : [] }
    /// The URL; fails if there is none.
    var url: String {
        get throws(CommandFailure) {
            guard let givenURL else {
                throw CommandFailure(
                    .usage, "the curl command has no URL that begins with https://: expected that of an endpoint")
            }
            return givenURL
        }
    }

    /// The words of a command that begins with `curl`; `nil` if the text is another.
    ///
    /// Variables that are set for it, words such as `time` and `env`, and the path of the program may come first.
    static func text(in text: Substring) -> Substring? {
        let start =
            #/
            (?: (?: time(?:\s+-p)? | env | command | exec | nohup | sudo
                | [A-Za-z_][A-Za-z0-9_]*=(?: "[^"]*" | '[^']*' | [^\s"'] )* ) \s+ )*
            (?: [^\s"'=]*\/ )? curl\s
            /#
        return text.prefixMatch(of: start).map { text[$0.range.upperBound...] }
    }

    /// Reads what follows `curl`.
    init(_ text: Substring, readFile: (String) -> [UInt8]?) throws(CommandFailure) {
        var words = try ShellWords.words(text)[...]
        while let word = words.popFirst() {
            if word.text.hasPrefix("--") {
                try read(String(word.text.dropFirst(2)), nil, &words, readFile)
            } else if word.text.hasPrefix("-") {
                try readFlags(of: word, &words, readFile)
            } else if word.text.prefixMatch(of: /https?:/.ignoresCase()) != nil {
                try read(url: word)
            }
        }
        try checkGlobs()
    }

    /// Checks that curl would make no other URL, or several, of the one that is written.
    private func checkGlobs() throws(CommandFailure) {
        guard !isGlobbingOff, let givenURL, let url = URLParts(givenURL) else { return }
        // The brackets of an IPv6 address stand for themselves.
        let isGlob = givenURL.contains { "{}".contains($0) } || url.path.contains { "[]".contains($0) }
        guard isGlob else { return }
        throw CommandFailure(
            .usage,
            "the URL \(givenURL) of the curl command has braces or brackets, of which curl makes other URLs: expected one "
                + "without, or --globoff")
    }

    /// Takes flags such as `-sS`, of which the last may have a value, in the same word or in the next.
    private mutating func readFlags(
        of word: ShellWords.Word, _ words: inout ArraySlice<ShellWords.Word>, _ readFile: (String) -> [UInt8]?
    ) throws(CommandFailure) {
        var letters = word.text.dropFirst()
        while let letter = letters.popFirst() {
            if CurlCommand.valued.contains(letter) {
                if letters.isEmpty { _ = words.popFirst() }
                return
            }
            let joined = letters.isEmpty ? nil : ShellWords.Word(text: String(letters), expansion: word.expansion)
            try read(String(letter), joined, &words, readFile)
            if CurlCommand.read.contains(String(letter)) { return }
        }
    }

    /// Takes an option with its value, which is `joined` to it or the next word.
    private mutating func read(
        _ option: String, _ joined: ShellWords.Word?, _ words: inout ArraySlice<ShellWords.Word>,
        _ readFile: (String) -> [UInt8]?
    ) throws(CommandFailure) {
        let name = option.prefix { $0 != "=" }
        let written = "\(option.count == 1 ? "-" : "--")\(name)"
        guard !CurlCommand.refused.contains(String(name)) else {
            throw CommandFailure(
                .usage,
                "\(written) of the curl command changes the request: expected -X, -H, -d, --data…, --json and --url")
        }
        guard CurlCommand.read.contains(String(name)) else {
            try CurlCommand.checkSpelling(String(name))
            if ["g", "globoff"].contains(name) { isGlobbingOff = true }
            if name.count == option.count, CurlCommand.passedURLs.contains(option) { _ = words.popFirst() }
            return
        }
        guard name.count == option.count, let value = joined ?? words.popFirst() else {
            throw CommandFailure(.usage, "\(written) of the curl command has no value: expected one as the next word")
        }
        switch option {
        case "url": try read(url: value)
        case "H", "header": try read(header: value)
        case "X", "request": givenMethod = value.text
        default: read(data: value, of: option, readFile)
        }
    }

    /// Checks that the name of an option which is passed over isn't a part of one that isn't, which curl takes for the
    /// whole, or that one misspelt.
    private static func checkSpelling(_ name: String) throws(CommandFailure) {
        guard name.count > 2 else { return }
        let known = read.union(refused).filter { $0.count > 2 }.sorted()
        let whole = known.first { $0.hasPrefix(name) }
        guard let meant = whole ?? known.first(where: { Spelling.isOneEdit(from: name, to: $0) }) else { return }
        throw CommandFailure(
            .usage, "--\(name) of the curl command is no option that is read: did you mean --\(meant)?")
    }

    private mutating func read(url word: ShellWords.Word) throws(CommandFailure) {
        if let givenURL {
            throw CommandFailure(.usage, "the curl command has two URLs, \(givenURL) and \(word.text): expected one")
        }
        try CurlCommand.check(word, "the URL \(word.text)")
        guard URLParts(word.text) != nil else {
            throw CommandFailure(.usage, "the URL \(word.text) of the curl command has no scheme: expected https://")
        }
        givenURL = String(word.text.prefix { $0 != "#" })
    }

    /// Takes a field as `curl` reads it: none of `Name:`, which takes out one that it would send, an empty one of `Name;`.
    private mutating func read(header word: ShellWords.Word) throws(CommandFailure) {
        guard !word.text.hasPrefix("@") else {
            throw CommandFailure(.usage, "-H \(word.text) of the curl command names a file: expected a header")
        }
        try CurlCommand.check(word, "the header \(word.text.prefix { $0 != ":" })")
        guard let match = word.text.wholeMatch(of: /([^:;]+)(?::\s*(\S.*)|;)/.dotMatchesNewlines()) else { return }
        fields.append(HTTPField(match.1.lowercased(), String(match.2 ?? "")))
    }

    private mutating func read(data word: ShellWords.Word, of option: String, _ readFile: (String) -> [UInt8]?) {
        if let expansion = word.expansion { missingBody = "the body, which has \(expansion) of the shell" }
        guard word.text.hasPrefix("@"), option != "data-raw" else { return data.append(Array(word.text.utf8)) }
        let path = String(word.text.dropFirst())
        let bytes = path == "-" ? nil : readFile(path)
        if bytes == nil { missingBody = "the body, which is in the file \(path)" }
        // Only these two send line ends and zero bytes.
        let isWhole = option == "data-binary" || option == "json"
        data.append((bytes ?? []).filter { isWhole || ![0x00, 0x0A, 0x0D].contains($0) })
    }

    /// Checks that a shell would put nothing into a word.
    private static func check(_ word: ShellWords.Word, _ what: String) throws(CommandFailure) {
        guard let expansion = word.expansion else { return }
        throw CommandFailure(.usage, "\(what) of the curl command has \(expansion) of the shell: expected its value")
    }
}
