import APNsRules
import MynahClient
import MynahCore

/// Devices as lines, for people and for the shell.
enum DeviceLines {
    /// One device.
    static func row(_ device: JSONValue) -> String {
        let apps = (device["registrations"]?.array ?? []).compactMap { $0["topic"]?.string }
        let stored = device["stored"]?.integer ?? 0
        return TableRow.text([
            (device["id"]?.string ?? "-", 24), (device["platform"]?.string ?? "-", 9),
            (device["environment"]?.string ?? "-", 11),
            (device["online"]?.bool == true ? "online" : "offline", 8), (device["power"]?.string ?? "-", 7),
            (device["scope"]?.string ?? "-", 12), (stored > 0 ? "\(stored) stored" : "-", 10),
            (apps.isEmpty ? "no apps" : apps.joined(separator: ","), 0),
        ])
    }

    /// A line for each app of a device: id, token, topic.
    ///
    /// A device without apps has one line with its id.
    static func tokens(_ device: JSONValue) -> [String] {
        let id = device["id"]?.string ?? ""
        let apps = device["registrations"]?.array ?? []
        guard !apps.isEmpty else { return [PrintableText.text(id)] }
        return apps.map { app in
            let token = app["token"]?.string ?? app["state"]?.string ?? "-"
            return PrintableText.text("\(id) \(token) \(app["topic"]?.string ?? "")")
        }
    }

    /// Prints an app as JSON, or its token or state.
    static func print(_ app: JSONValue, asJSON: Bool) throws(ClientError) {
        try Terminal.out(
            asJSON ? app.encodedText : PrintableText.text(app["token"]?.string ?? app["state"]?.string ?? ""))
    }

    /// A notification on a screen.
    static func notification(_ notification: JSONValue) -> String {
        let texts = ["title", "subtitle", "body"].compactMap { notification[$0]?.string }
        return PrintableText.text(
            "#\(notification["sequence"]?.encodedText ?? "") \(notification["topic"]?.string ?? "")  "
                + texts.joined(separator: " · "))
    }
}
