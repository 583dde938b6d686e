import APNsRules
import MynahClient
import MynahSystem

/// The introduction that `mynah serve` prints: addresses, the CA to trust, the key to sign with, and a command to
/// paste.
enum Banner {
    /// Unknown tokens become devices, so any 64 digits work.
    static let exampleToken = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"

    static func text(_ facts: ServerFacts) -> String {
        var ready = facts.ready
        // Process 1 is a container's only one; users outside have no access to its files.
        let isInContainer = ready.pid == 1
        if isInContainer {
            ready.caFile = nil
            ready.keyFile = nil
        }
        var lines = ["Mynah is APNs on localhost. Point a push provider at it:", ""]
        let published = [ready.port, ready.controlPort].map { "-p 127.0.0.1:\($0):\($0)" }.joined(separator: " ")
        let downloadedKey = facts.developmentKeyName.map { "\($0), at \(ready.controlURL)/v1/credentials" }
        let rows: [(String, String?)] = [
            ("host", facts.clientHost), ("port", ready.ports.map(String.init).joined(separator: ", ")),
            (
                "channels",
                ready.channelsPorts.isEmpty
                    ? nil : "port " + ready.channelsPorts.map(String.init).joined(separator: ", ")
            ),
            ("web push", ready.webPushPort.map { "port \($0)" }),
            ("without TLS", ready.cleartextPort.map { "port \($0)" }),
            ("proxy", facts.proxyURL.map { "HTTPS_PROXY=\($0)" }),
            ("CA file", ready.caFile ?? "at \(ready.controlURL)/ca.pem"),
            ("key file", ready.keyFile ?? downloadedKey ?? "your own (--auth-key)"), ("key id", ready.keyID),
            ("team id", ready.teamID), ("page", ready.controlURL + "/"), ("control API", ready.controlURL),
            ("container", isInContainer ? "clients outside need docker run \(published)" : nil),
        ]
        lines += TextTable.rows(rows, width: 14).split(separator: "\n").map { "  " + $0 }
        lines += ["", "Send a push:", ""]
        if ready.caFile == nil { lines.append("  curl -s \(ready.controlURL)/ca.pem -o ca.pem") }
        let token = isInContainer ? "docker exec CONTAINER mynah token" : "mynah token"
        lines += [
            "  curl --http2 --cacert \(ShellWord.quoted(ready.caFile ?? "ca.pem")) \\",
            "    -H \"authorization: bearer $(\(token))\" \\",
            "    -H \"apns-topic: com.example.app\" -H \"apns-push-type: alert\" \\",
            "    -d '{\"aps\":{\"alert\":\"hi\"}}' \\",
            "    \(facts.apnsURL)/3/device/\(exampleToken)",
            "", "See it: the page, or mynah tail · Check it: mynah expect --topic com.example.app · More: mynah --help",
            "",
        ]
        return lines.joined(separator: "\n")
    }
}

/// The line on standard output when the server is ready; scripts wait for it, so its beginning is part of the contract
/// (`ControlAPI#Command-line`).
enum ReadyLine {
    static func text(_ facts: ServerFacts, format: ServeSettings.LogFormat) -> String {
        switch format {
        case .text: return "mynah ready: APNs \(facts.apnsURL) control \(facts.ready.controlURL) seed \(facts.seed)"
        case .json:
            let members = [JSONMember](given: [
                "message": "mynah ready", "apnsUrl": facts.apnsURL, "seed": JSONValue.number(JSONNumber(facts.seed)),
            ])
            return JSONValue.object(members + (facts.ready.document.object ?? [])).encodedText
        }
    }
}

/// The facts about a listening server for the banner, the ready line, the ready file and the environment of `mynah
/// exec`.
struct ServerFacts: Sendable {
    /// The name or address for clients on this machine; not `0.0.0.0`.
    var clientHost: String
    var ready: ReadyFile
    var seed: UInt64
    /// Whether the run of its data folder began with an earlier server.
    var continuesRun = false
    /// The value of `HTTPS_PROXY` for clients on this machine, if there is a proxy.
    var proxyURL: String?
    /// The file name of the generated signing key; `nil` with keys of the user's own.
    var developmentKeyName: String?

    /// `https://localhost:2197`.
    var apnsURL: String { "https://" + ControlURL.authority(clientHost, ready.port) }

    /// The host for clients on this machine of a server that binds `host`.
    static func clientHost(bound host: String) -> String {
        ["0.0.0.0", "::", "127.0.0.1", "::1"].contains(host) ? "localhost" : host
    }

    /// The URL for clients on this machine of an HTTP server that binds `host`.
    static func httpURL(bound host: String, port: Int) -> String {
        switch host {
        case "localhost", "0.0.0.0": "http://127.0.0.1:\(port)"
        case "::": "http://[::1]:\(port)"
        default: "http://" + ControlURL.authority(host, port)
        }
    }

    /// These facts with the files of the export folder, if there is one, because every user may read its files.
    func shown(_ settings: ServeSettings) -> ServerFacts {
        guard let exported = ExportFolder(settings)?.exported(self, settings) else { return self }
        var shown = self
        shown.ready.caFile = exported.caFile
        shown.ready.keyFile = exported.keyFile
        return shown
    }
}
