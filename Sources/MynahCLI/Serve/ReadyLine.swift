import APNsRules
import MynahClient

/// The line on standard output when the server is ready.
///
/// Scripts wait for it, so its beginning is part of the contract (`ControlAPI#Command-line`).
enum ReadyLine {
    static func text(_ facts: ServerFacts, format: ServeSettings.LogFormat) -> String {
        switch format {
        case .text:
            return "mynah ready: APNs \(facts.apnsURL) control \(facts.ready.controlURL) seed \(facts.seed)"
        case .json:
            var members = [
                JSONMember("message", "mynah ready"),
                JSONMember("apnsUrl", .string(facts.apnsURL)),
                JSONMember("seed", .number(JSONNumber(facts.seed))),
            ]
            members += facts.ready.document.object ?? []
            return JSONValue.object(members).encodedText
        }
    }
}
