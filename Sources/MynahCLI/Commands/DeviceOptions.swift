import APNsRules
import ArgumentParser

/// What of a device can be given when it is made, and changed later.
struct DeviceOptions: ParsableArguments {
    @Option(help: "What people call it.") var name: String?
    @Option(help: "The system's version, like 26.1.") var osVersion: String?
    @Option(help: "The language, like en-GB.") var locale: String?
    @Flag(help: "APNs reaches it.") var online = false
    @Flag(help: "APNs does not reach it: pushes and new apps wait.") var offline = false
    @Option(help: "normal, low or asleep.") var power: String?
    @Option(help: "The Focus that is on.") var focus: String?

    func validate() throws {
        guard !online || !offline else {
            throw ValidationError("--online and --offline are both given; one of them is true")
        }
    }

    /// As members of a device.
    var members: [JSONMember] {
        var members: [JSONMember] = []
        for (name, text) in [
            ("name", name), ("osVersion", osVersion), ("locale", locale), ("power", power), ("focus", focus),
        ] {
            if let text { members.append(JSONMember(name, .string(text))) }
        }
        if online || offline { members.append(JSONMember("online", .bool(online))) }
        return members
    }
}
