import MynahClient

/// What `mynah serve` tells somebody who sees it for the first time: where it is, what to trust, what to sign
/// with, and a command that works when pasted.
enum Banner {
    /// An example of a device token: unknown tokens become devices, so any 64 digits do.
    static let exampleToken = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"

    /// The banner of a server, without the ready line.
    static func text(_ facts: ServerFacts) -> String {
        let ready = facts.ready
        var lines = ["Mynah is APNs on localhost. Point a push provider at it:", ""]
        var rows: [(String, String)] = [("host", facts.clientHost)]
        rows.append(("port", ready.ports.map(String.init).joined(separator: ", ")))
        if let port = ready.cleartextPort { rows.append(("without TLS", "port \(port)")) }
        if let url = facts.proxyURL { rows.append(("proxy", "HTTPS_PROXY=\(url)")) }
        rows.append(("CA file", ready.caFile ?? "in memory; get it at \(ready.controlURL)/ca.pem"))
        rows.append(("key file", keyFile(facts)))
        if let keyID = ready.keyID { rows.append(("key id", keyID)) }
        if let teamID = ready.teamID { rows.append(("team id", teamID)) }
        rows.append(("control API", ready.controlURL))
        for (name, value) in rows { lines.append("  " + padded(name) + value) }
        lines += ["", "Send a push:", ""]
        if ready.caFile == nil {
            lines.append("  curl -s \(ready.controlURL)/ca.pem -o ca.pem")
        }
        lines.append(contentsOf: curl(facts))
        lines += ["", "See it: mynah tail · Check it: mynah expect --topic com.example.app · More: mynah --help", ""]
        return lines.joined(separator: "\n")
    }

    private static func keyFile(_ facts: ServerFacts) -> String {
        if let file = facts.ready.keyFile { return file }
        return facts.ready.keyID == nil
            ? "your own (--auth-key)" : "in memory; get it at \(facts.ready.controlURL)/v1/credentials"
    }

    private static func curl(_ facts: ServerFacts) -> [String] {
        [
            "  curl --http2 --cacert \(quoted(facts.ready.caFile ?? "ca.pem")) \\",
            "    -H \"authorization: bearer $(mynah token)\" \\",
            "    -H \"apns-topic: com.example.app\" -H \"apns-push-type: alert\" \\",
            "    -d '{\"aps\":{\"alert\":\"hi\"}}' \\",
            "    \(facts.apnsURL)/3/device/\(exampleToken)",
        ]
    }

    private static func padded(_ name: String) -> String {
        name + String(repeating: " ", count: max(1, 14 - name.count))
    }

    /// `text` as one word of a shell.
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
