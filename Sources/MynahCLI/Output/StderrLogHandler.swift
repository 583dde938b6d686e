import APNsRules
import Logging

/// Log lines on standard error, as text for people or as one JSON object each.
struct StderrLogHandler: LogHandler {
    let format: ServeSettings.LogFormat
    var logLevel: Logger.Level
    var now: @Sendable () -> Instant = { Terminal.now }
    var write: @Sendable (String) -> Void = Terminal.error
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error { all["error"] = "\(error)" }
        let sorted = all.sorted { $0.key < $1.key }
        switch format {
        case .text:
            let tail = sorted.map { " \($0.key)=\($0.value)" }.joined()
            write(StderrLogHandler.oneLine("\(now().rfc3339) \(event.level) \(event.message)\(tail)"))
        case .json:
            let members = [JSONMember](given: [
                "time": now().rfc3339, "level": event.level.rawValue, "message": "\(event.message)",
            ])
            write(JSONValue.object(members + sorted.map { JSONMember($0.key, .string("\($0.value)")) }).encodedText)
        }
    }

    // A peer's bytes must not be able to forge a line or control a terminal.
    private static func oneLine(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
