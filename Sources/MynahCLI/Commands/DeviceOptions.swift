import APNsRules
import ArgumentParser

/// The properties of a device that can be set at any time.
struct DeviceOptions: ParsableArguments {
    @Option(help: "The name that its user sees.") var name: String?
    @Option(help: "The system's version, like 26.1.") var osVersion: String?
    @Option(help: "The language, like en-GB.") var locale: String?
    @Flag(help: "APNs reaches the device.") var online = false
    @Flag(help: "APNs does not reach the device: pushes and new apps wait.") var offline = false
    @Option(help: "normal, low or asleep.") var power: String?
    @Option(help: "The active Focus.") var focus: String?

    func validate() throws {
        guard !online || !offline else {
            throw ValidationError("--online and --offline: give one of them")
        }
    }

    /// The properties as members of a device.
    var members: [JSONMember] {
        var members = [JSONMember](given: [
            "name": name, "osVersion": osVersion, "locale": locale, "power": power, "focus": focus,
        ])
        if online || offline { members.append(JSONMember("online", .bool(online))) }
        return members
    }
}
