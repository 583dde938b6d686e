package import APNsRules
package import MynahCore

/// Installs an app on a device, launches it, or lets it register again.
struct RegisterApp: Command {
    let device: String
    let app: RegistrationSpecification

    func apply(to simulation: Simulation) throws(InputError) -> DeviceTable.Registered {
        let registered = try simulation.devices.register(app, on: device)
        try simulation.recordChange(of: device, at: simulation.settle())
        return registered
    }
}

extension Server {
    package func registerApp(
        on id: String, _ app: RegistrationSpecification
    ) async throws(InputError) -> DeviceTable.Registered {
        try await perform(RegisterApp(device: id, app: app))
    }
}

/// Changes how an app is set up, by default the one in the device's environment; returns the device.
struct ChangeApp: Command {
    let device: String
    let topic: String
    let environment: APNsEnvironment?
    let patch: AppPatch

    func apply(to simulation: Simulation) throws(InputError) -> DeviceView {
        try simulation.devices.withScreen(of: device) { table, time throws(InputError) in
            let effects = try table.change(
                device, topic: topic, environment: environment, patch, at: time.now, clock: time.now(ofScope:))
            return ((), effects)
        }
        return try simulation.settleAndRecordChange(of: device)
    }
}

extension Server {
    /// Changes how an app is set up, by default the one in the device's environment.
    package func changeApp(
        on id: String, topic: String, environment: APNsEnvironment? = nil, _ patch: AppPatch
    ) async throws(InputError) -> RegistrationView {
        let device = try await perform(
            ChangeApp(device: id, topic: topic, environment: environment, patch: patch))
        return try Server.app(of: device, topic: topic, environment: environment)
    }
}

/// Uninstalls an app; its token answers 410 once APNs notices.
struct UninstallApp: Command {
    let device: String
    let topic: String
    let environment: APNsEnvironment?

    func apply(to simulation: Simulation) throws(InputError) {
        try simulation.devices.withScreen(of: device, ifReceived: true) { table, time throws(InputError) in
            let effects = try table.uninstall(
                device, topic: topic, environment: environment, at: time.now, clock: time.now(ofScope:))
            return ((), effects)
        }
        try simulation.recordChange(of: device, at: simulation.settle())
    }
}

extension Server {
    /// Uninstalls an app; its token answers 410 once APNs notices.
    package func uninstallApp(
        on id: String, topic: String, environment: APNsEnvironment? = nil
    ) async throws(InputError) {
        try await perform(UninstallApp(device: id, topic: topic, environment: environment))
    }
}

extension CommandKind {
    static let apps: Numbered = [
        11: RegisterApp.self,
        12: ChangeApp.self,
        13: UninstallApp.self,
    ]
}
