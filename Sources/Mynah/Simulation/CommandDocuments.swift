internal import APNsRules
internal import MynahCore
internal import MynahTrust

// What each command has in a log, member by member.

extension Look {
    static let kind = CommandKind.look
    var document: JSONValue { [:] }
    init(document: JSONValue) { self.init() }
}

// MARK: - Devices

extension CreateDevices {
    static let kind = CommandKind.createDevices
    var document: JSONValue { .members(["specifications": specifications]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(specifications: document.read("specifications"))
    }
}

extension LoadDevices {
    static let kind = CommandKind.loadDevices
    var document: JSONValue { .members(["specifications": specifications]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(specifications: document.read("specifications"))
    }
}

extension PutDevice {
    static let kind = CommandKind.putDevice
    var document: JSONValue { .members(["id": id, "specification": specification]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(id: document.read("id"), specification: document.read("specification"))
    }
}

extension ChangeDevice {
    static let kind = CommandKind.changeDevice
    var document: JSONValue { .members(["id": id, "patch": patch]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(id: document.read("id"), patch: document.read("patch"))
    }
}

extension ChangeDevices {
    static let kind = CommandKind.changeDevices
    var document: JSONValue { .members(["filter": filter, "patch": patch]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(filter: document.read("filter"), patch: document.read("patch"))
    }
}

extension RemoveDevice {
    static let kind = CommandKind.removeDevice
    var document: JSONValue { .members(["id": id]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(id: document.read("id"))
    }
}

extension RemoveDevices {
    static let kind = CommandKind.removeDevices
    var document: JSONValue { .members(["filter": filter]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(filter: document.read("filter"))
    }
}

extension ConnectDevice {
    static let kind = CommandKind.connectDevice
    var document: JSONValue { .members(["id": id, "client": client]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(id: document.read("id"), client: document.read("client"))
    }
}

extension DisconnectDevice {
    static let kind = CommandKind.disconnectDevice
    var document: JSONValue { .members(["id": id, "client": client]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(id: document.read("id"), client: document.read("client"))
    }
}

// MARK: - Apps and screens

extension RegisterApp {
    static let kind = CommandKind.registerApp
    var document: JSONValue { .members(["device": device, "app": app]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(device: document.read("device"), app: document.read("app"))
    }
}

extension ChangeApp {
    static let kind = CommandKind.changeApp
    var document: JSONValue {
        .members(["device": device, "topic": topic, "environment": environment, "patch": patch])
    }

    init(document: JSONValue) throws(InputError) {
        try self.init(
            device: document.read("device"), topic: document.read("topic"), environment: document.read("environment"),
            patch: document.read("patch"))
    }
}

extension UninstallApp {
    static let kind = CommandKind.uninstallApp
    var document: JSONValue { .members(["device": device, "topic": topic, "environment": environment]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(
            device: document.read("device"), topic: document.read("topic"), environment: document.read("environment"))
    }
}

extension Act {
    static let kind = CommandKind.act
    var document: JSONValue { .members(["device": device, "sequence": sequence, "action": action, "text": text]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(
            device: document.read("device"), sequence: document.read("sequence"), action: document.read("action"),
            text: document.read("text"))
    }
}

extension RemoveFromScreen {
    static let kind = CommandKind.removeFromScreen
    var document: JSONValue { .members(["device": device, "sequence": sequence]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(device: document.read("device"), sequence: document.read("sequence"))
    }
}

extension ClearScreen {
    static let kind = CommandKind.clearScreen
    var document: JSONValue { .members(["device": device, "filter": filter]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(device: document.read("device"), filter: document.read("filter"))
    }
}

extension ChangeScreen {
    static let kind = CommandKind.changeScreen
    var document: JSONValue { .members(["device": device, "patch": patch]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(device: document.read("device"), patch: document.read("patch"))
    }
}

// MARK: - Live Activities and channels

extension StartActivity {
    static let kind = CommandKind.startActivity
    var document: JSONValue { .members(["device": device, "specification": specification]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(device: document.read("device"), specification: document.read("specification"))
    }
}

extension ChangeActivity {
    static let kind = CommandKind.changeActivity
    var document: JSONValue { .members(["device": device, "number": number, "patch": patch]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(device: document.read("device"), number: document.read("number"), patch: document.read("patch"))
    }
}

extension DismissActivity {
    static let kind = CommandKind.dismissActivity
    var document: JSONValue { .members(["device": device, "number": number]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(device: document.read("device"), number: document.read("number"))
    }
}

extension Subscribe {
    static let kind = CommandKind.subscribe
    var document: JSONValue { .members(["device": device, "specification": specification]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(device: document.read("device"), specification: document.read("specification"))
    }
}

extension Unsubscribe {
    static let kind = CommandKind.unsubscribe
    var document: JSONValue { .members(["device": device, "channel": channel]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(device: document.read("device"), channel: document.read("channel"))
    }
}

extension StartActivities {
    static let kind = CommandKind.startActivities
    var document: JSONValue { .members(["filter": filter, "specification": specification]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(filter: document.read("filter"), specification: document.read("specification"))
    }
}

extension DismissActivities {
    static let kind = CommandKind.dismissActivities
    var document: JSONValue { .members(["activities": activities, "devices": devices]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(activities: document.read("activities"), devices: document.read("devices"))
    }
}

extension CreateChannel {
    static let kind = CommandKind.createChannel
    var document: JSONValue { .members(["specification": specification]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(specification: document.read("specification"))
    }
}

extension LoadChannels {
    static let kind = CommandKind.loadChannels
    var document: JSONValue { .members(["specifications": specifications]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(specifications: document.read("specifications"))
    }
}

extension RemoveChannel {
    static let kind = CommandKind.removeChannel
    var document: JSONValue { .members(["id": id]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(id: document.read("id"))
    }
}

extension ForgetChannels {
    static let kind = CommandKind.forgetChannels
    var document: JSONValue { [:] }
    init(document: JSONValue) { self.init() }
}

// MARK: - Faults and scenarios

extension AddFaults {
    static let kind = CommandKind.addFaults
    var document: JSONValue { .members(["drafts": drafts, "seed": seed, "pointers": pointers]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(drafts: document.read("drafts"), seed: document.read("seed"), pointers: document.read("pointers"))
    }
}

extension LoadFaults {
    static let kind = CommandKind.loadFaults
    var document: JSONValue { .members(["drafts": drafts]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(drafts: document.read("drafts"))
    }
}

extension PutFault {
    static let kind = CommandKind.putFault
    var document: JSONValue { .members(["id": id, "draft": draft]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(id: document.read("id"), draft: document.read("draft"))
    }
}

extension PatchFault {
    static let kind = CommandKind.patchFault
    var document: JSONValue { .members(["id": id, "json": json]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(id: document.read("id"), json: document.read("json"))
    }
}

extension RemoveFault {
    static let kind = CommandKind.removeFault
    var document: JSONValue { .members(["id": id]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(id: document.read("id"))
    }
}

extension RemoveFaults {
    static let kind = CommandKind.removeFaults
    var document: JSONValue { .members(["filter": filter]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(filter: document.read("filter"))
    }
}

extension RemoveFaultsOfScope {
    static let kind = CommandKind.removeFaultsOfScope
    var document: JSONValue { .members(["scope": scope]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(scope: document.read("scope"))
    }
}

extension StartScenario {
    static let kind = CommandKind.startScenario
    var document: JSONValue { .members(["scenario": scenario]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(scenario: document.read("scenario"))
    }
}

extension LoadScenario {
    static let kind = CommandKind.loadScenario
    var document: JSONValue { .members(["scenario": scenario]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(scenario: document.read("scenario"))
    }
}

extension RemoveScenario {
    static let kind = CommandKind.removeScenario
    var document: JSONValue { .members(["name": name, "scope": scope]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(name: document.read("name"), scope: document.read("scope"))
    }
}

extension RemoveScenarios {
    static let kind = CommandKind.removeScenarios
    var document: JSONValue { .members(["scope": scope]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(scope: document.read("scope"))
    }
}

// MARK: - Clocks, keys and removals

extension ChangeClock {
    static let kind = CommandKind.changeClock
    var document: JSONValue { .members(["scope": scope, "change": change]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(scope: document.read("scope"), change: document.read("change"))
    }
}

extension ReplaceClock {
    static let kind = CommandKind.replaceClock
    var document: JSONValue { .members(["scope": scope, "clock": clock]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(scope: document.read("scope"), clock: document.read("clock"))
    }
}

extension SettleClock {
    static let kind = CommandKind.settleClock
    var document: JSONValue { .members(["scope": scope]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(scope: document.read("scope"))
    }
}

extension AddKey {
    static let kind = CommandKind.addKey
    var document: JSONValue { .members(["key": key]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(key: document.read("key"))
    }
}

extension ReplaceKey {
    static let kind = CommandKind.replaceKey
    var document: JSONValue { .members(["key": key]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(key: document.read("key"))
    }
}

extension RevokeKey {
    static let kind = CommandKind.revokeKey
    var document: JSONValue { .members(["keyID": keyID]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(keyID: document.read("keyID"))
    }
}

extension ResetKeys {
    static let kind = CommandKind.resetKeys
    var document: JSONValue { [:] }
    init(document: JSONValue) { self.init() }
}

extension StartKeys {
    static let kind = CommandKind.startKeys
    var document: JSONValue { .members(["keys": keys]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(keys: document.read("keys"))
    }
}

extension LoadFixtures {
    static let kind = CommandKind.loadFixtures
    var document: JSONValue {
        .members(["channels": channels, "devices": devices, "faults": faults, "scenarios": scenarios])
    }

    init(document: JSONValue) throws(InputError) {
        try self.init(
            channels: document.read("channels"), devices: document.read("devices"), faults: document.read("faults"),
            scenarios: document.read("scenarios"))
    }
}

extension ReplaceFixtures {
    static let kind = CommandKind.replaceFixtures
    var document: JSONValue { .members(["channels": channels, "devices": devices, "faults": faults]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(
            channels: document.read("channels"), devices: document.read("devices"), faults: document.read("faults"))
    }
}

extension NoteCertificate {
    static let kind = CommandKind.noteCertificate
    var document: JSONValue {
        .members(["certificate": Base64.encode(item.der), "issuedAt": item.issuedAt, "revokedAt": item.revokedAt])
    }

    init(document: JSONValue) throws(InputError) {
        let (der, issuedAt): (String, Instant) = try (document.read("certificate"), document.read("issuedAt"))
        let revokedAt: Instant? = try document.read("revokedAt")
        do throws(CertificateFault) {
            self.init(
                item: try CertificateLedger.Item(
                    der: Base64.decode(der.utf8)?.bytes ?? [], issuedAt: issuedAt, revokedAt: revokedAt))
        } catch {
            throw InputError(at: "/certificate", "a certificate can't be read: \(error.problem)")
        }
    }
}

extension Reset {
    static let kind = CommandKind.reset
    var document: JSONValue {
        .members([
            "parts": ResetPart.allCases.filter(parts.contains), "scope": scope, "restoresBaseline": restoresBaseline,
            "connectionCount": connectionCount,
        ])
    }

    init(document: JSONValue) throws(InputError) {
        try self.init(
            parts: Set(document.read("parts", [ResetPart].self)), scope: document.read("scope"),
            restoresBaseline: document.read("restoresBaseline"), connectionCount: document.read("connectionCount"))
    }
}

extension RemovePushes {
    static let kind = CommandKind.removePushes
    var document: JSONValue { .members(["sequences": sequences]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(sequences: document.read("sequences"))
    }
}

// MARK: - Connections

extension NoteConnection {
    static let kind = CommandKind.noteConnection
    var document: JSONValue { .members(["change": change, "connection": connection]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(change: document.read("change"), connection: document.read("connection"))
    }
}

extension CountConnection {
    static let kind = CommandKind.countConnection
    var document: JSONValue { .members(["event": event, "connection": connection, "environment": environment]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(
            event: document.read("event"), connection: document.read("connection"),
            environment: document.read("environment"))
    }
}

extension NoteCredential {
    static let kind = CommandKind.noteCredential
    var document: JSONValue { .members(["connection": connection, "credential": credential]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(connection: document.read("connection"), credential: document.read("credential"))
    }
}

extension EndConnections {
    static let kind = CommandKind.endConnections
    var document: JSONValue { .members(["connections": connections, "isAborted": isAborted]) }

    init(document: JSONValue) throws(InputError) {
        // Earlier versions ended one at a time.
        let one: UInt64? = try document.read("connection")
        let connections: [UInt64] = if let one { [one] } else { try document.read("connections") }
        try self.init(connections: connections, isAborted: document.read("isAborted"))
    }
}

extension CountIdleClose {
    static let kind = CommandKind.countIdleClose
    var document: JSONValue { .members(["rule": rule, "age": age]) }

    init(document: JSONValue) throws(InputError) {
        try self.init(rule: document.read("rule"), age: document.read("age"))
    }
}
