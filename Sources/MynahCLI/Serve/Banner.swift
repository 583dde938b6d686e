import MynahClient

/// The introduction that `mynah serve` prints: addresses, the CA to trust, the key to sign with, and a command to
/// paste.
enum Banner {
    /// An example of a device token.
    ///
    /// Unknown tokens become devices, so any 64 digits work.
    static let exampleToken = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"

    /// The place of the banner's reader.
    enum Reader: Sendable {
        /// On the server's machine, with access to its files.
        case machine
        /// Outside the server's container, without access to its files.
        case outsideContainer

        /// The reader of a process's output: process 1 runs alone in its container.
        static func of(process: Int32) -> Reader { process == 1 ? .outsideContainer : .machine }
    }

    /// The banner of a server, without the ready line.
    static func text(_ facts: ServerFacts, for reader: Reader = .machine) -> String {
        var ready = facts.ready
        if reader == .outsideContainer {
            ready.caFile = nil
            ready.keyFile = nil
        }
        var lines = ["Mynah is APNs on localhost. Point a push provider at it:", ""]
        var rows: [(String, String)] = [("host", facts.clientHost)]
        rows.append(("port", ready.ports.map(String.init).joined(separator: ", ")))
        if let port = ready.cleartextPort { rows.append(("without TLS", "port \(port)")) }
        if let url = facts.proxyURL { rows.append(("proxy", "HTTPS_PROXY=\(url)")) }
        rows.append(("CA file", ready.caFile ?? "at \(ready.controlURL)/ca.pem"))
        let downloadedKey = facts.developmentKeyName.map { "\($0), at \(ready.controlURL)/v1/credentials" }
        rows.append(("key file", ready.keyFile ?? downloadedKey ?? "your own (--auth-key)"))
        if let keyID = ready.keyID { rows.append(("key id", keyID)) }
        if let teamID = ready.teamID { rows.append(("team id", teamID)) }
        rows.append(("control API", ready.controlURL))
        for (name, value) in rows { lines.append("  " + TableRow.padded(name, 14) + value) }
        lines += ["", "Send a push:", ""]
        if ready.caFile == nil {
            lines.append("  curl -s \(ready.controlURL)/ca.pem -o ca.pem")
        }
        let token = reader == .machine ? "mynah token" : "docker exec CONTAINER mynah token"
        lines += [
            "  curl --http2 --cacert \(quoted(ready.caFile ?? "ca.pem")) \\",
            "    -H \"authorization: bearer $(\(token))\" \\",
            "    -H \"apns-topic: com.example.app\" -H \"apns-push-type: alert\" \\",
            "    -d '{\"aps\":{\"alert\":\"hi\"}}' \\",
            "    \(facts.apnsURL)/3/device/\(exampleToken)",
        ]
        lines += ["", "See it: mynah tail · Check it: mynah expect --topic com.example.app · More: mynah --help", ""]
        return lines.joined(separator: "\n")
    }

    /// Quotes `text` as one word of a shell.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: true
            default: false
            }
        }
        guard !isPlain || text.isEmpty else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
