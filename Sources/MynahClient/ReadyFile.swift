package import APNsRules

/// What `mynah serve` writes once it is ready: `--ready-file`, and the file in the ``LocatorFolder``
/// (`ControlAPI#Command-line`).
public struct ReadyFile: Hashable, Sendable {
    /// The first port of APNs over TLS.
    public var port: Int
    /// All ports of APNs over TLS, in the order of `--port`.
    public var ports: [Int]
    /// The control API's port.
    public var controlPort: Int
    /// The control API's URL, without a path: `http://127.0.0.1:8197`.
    public var controlURL: String
    /// The port without TLS; `nil` when there is none.
    public var cleartextPort: Int?
    /// The ports of channel management, in the order of `--channels-port`; empty when there are none.
    public var channelsPorts: [Int] = []
    /// The first port of channel management; `nil` when there is none.
    public var channelsPort: Int? { channelsPorts.first }
    /// The port of web pushes; `nil` when there is none.
    public var webPushPort: Int?
    /// The port of the HTTP CONNECT proxy; `nil` when there is none.
    public var proxyPort: Int?
    /// The path of the CA's certificate; `nil` when it is in memory only.
    public var caFile: String?
    /// The path of the system's roots and the CA together; `nil` when it was not written.
    public var caBundleFile: String?
    /// The path of the generated signing key; `nil` when it is in memory only, or the user has provided keys.
    public var keyFile: String?
    /// The id of the generated signing key.
    public var keyID: String?
    /// The team of the generated signing key.
    public var teamID: String?
    /// The server's process.
    public var pid: Int32

    /// A file with ports and process; everything else is `nil`.
    public init(ports: [Int], controlPort: Int, controlURL: String, pid: Int32) {
        self.port = ports.first ?? 0
        self.ports = ports
        self.controlPort = controlPort
        self.controlURL = controlURL
        self.pid = pid
    }

    /// Whether one of its ports is this one.
    package func listens(on port: Int) -> Bool {
        (ports + channelsPorts + [controlPort]).contains(port)
            || [cleartextPort, webPushPort, proxyPort].contains(port)
    }

    /// Reads a ready file; returns `nil` when it doesn't exist, and throws ``ClientError`` for any other file.
    public static func read(_ path: String) throws(ClientError) -> ReadyFile? {
        guard let bytes = try FileAccess.read(path) else { return nil }
        let document: JSONValue
        do { document = try JSONValue(parsing: bytes) } catch {
            throw ClientError(.file, "\(path) is not a ready file: \(error)")
        }
        if let file = ReadyFile(document) { return file }
        throw ClientError(.file, "\(path) is not a ready file: expected port, controlPort, controlUrl and pid")
    }

    /// Writes the file, atomically and readable by all users: it has no secrets.
    public func write(to path: String) throws(ClientError) {
        try FileAccess.writeAtomically(bytes, to: path, mode: 0o644)
    }

    package var bytes: [UInt8] { document.encoded + [0x0A] }

    private init?(_ document: JSONValue) {
        func port(_ name: String) -> Int? { document[name]?.integer.flatMap { Int(exactly: $0) } }
        guard let first = port("port"), let controlPort = port("controlPort"),
            let url = document["controlUrl"]?.string, let pid = document["pid"]?.integer.flatMap({ Int32(exactly: $0) })
        else { return nil }
        let ports = document["ports"]?.array?.compactMap { $0.integer.flatMap { Int(exactly: $0) } }
        self.init(ports: ports ?? [first], controlPort: controlPort, controlURL: url, pid: pid)
        self.port = first
        cleartextPort = port("cleartextPort")
        channelsPorts = document["channelsPorts"]?.array?.compactMap { $0.integer.flatMap { Int(exactly: $0) } } ?? []
        webPushPort = port("webPushPort")
        proxyPort = port("proxyPort")
        caFile = document["caFile"]?.string
        caBundleFile = document["caBundleFile"]?.string
        keyFile = document["keyFile"]?.string
        keyID = document["keyId"]?.string
        teamID = document["teamId"]?.string
    }

    /// The contents as JSON; every key is always present.
    package var document: JSONValue {
        func number(_ value: Int?) -> JSONValue { value.map { .number(JSONNumber($0)) } ?? .null }
        func string(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return [
            "port": number(port), "ports": .array(ports.map { number($0) }), "controlPort": number(controlPort),
            "controlUrl": .string(controlURL), "cleartextPort": number(cleartextPort),
            "channelsPort": number(channelsPort), "channelsPorts": .array(channelsPorts.map { number($0) }),
            "webPushPort": number(webPushPort), "proxyPort": number(proxyPort), "caFile": string(caFile),
            "caBundleFile": string(caBundleFile), "keyFile": string(keyFile), "keyId": string(keyID),
            "teamId": string(teamID), "pid": number(Int(pid)),
        ]
    }

    /// Reads the bytes of any file; `nil` when it isn't a ready file.
    package init?(lenient bytes: [UInt8]) {
        guard let document = try? JSONValue(parsing: bytes) else { return nil }
        self.init(document)
    }
}
