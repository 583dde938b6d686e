package import APNsRules
package import MynahCore

/// Acts on a notification as its user; returns what the app receives, if it asked for that.
struct Act: Command {
    let device: String
    let sequence: UInt64
    let action: String
    let text: String?

    func apply(to simulation: Simulation) throws(InputError) -> AppResponse? {
        try simulation.devices.withScreen(of: device) { table, time throws(InputError) in
            try table.perform(
                action, text: text, on: sequence, of: device, at: time.now, clock: time.now(ofScope:))
        }
    }
}

extension Server {
    /// Acts on a notification by `default`, `dismiss` or an action of its category, with the text if it takes one;
    /// returns what the app receives, `null` for a dismissal that it did not ask for.
    package func act(
        on id: String, sequence: UInt64, action: String, text: String?
    ) async throws(InputError) -> JSONValue {
        let received = try await perform(Act(device: id, sequence: sequence, action: action, text: text))
        return received?.json ?? .null
    }
}

/// Removes a notification on behalf of its app.
struct RemoveFromScreen: Command {
    let device: String
    let sequence: UInt64

    func apply(to simulation: Simulation) throws(InputError) {
        try simulation.devices.withScreen(of: device) { table, time throws(InputError) in
            ((), try table.removeFromScreen(sequence, of: device, at: time.now, clock: time.now(ofScope:)))
        }
    }
}

extension Server {
    /// Removes a notification on behalf of its app.
    package func removeFromScreen(of id: String, sequence: UInt64) async throws(InputError) {
        try await perform(RemoveFromScreen(device: id, sequence: sequence))
    }
}

/// Removes the notifications that pass a filter, as their apps or the user does; returns how many.
struct ClearScreen: Command {
    let device: String
    let filter: ScreenFilter

    func apply(to simulation: Simulation) throws(InputError) -> Int {
        try simulation.devices.withScreen(of: device) { table, time throws(InputError) in
            try table.clearScreen(of: device, where: filter, at: time.now, clock: time.now(ofScope:))
        }
    }
}

extension Server {
    /// Removes the notifications that pass a filter, as their apps or the user does; returns how many.
    @discardableResult
    package func clearScreen(
        of id: String, where filter: ScreenFilter = ScreenFilter()
    ) async throws(InputError) -> Int {
        try await perform(ClearScreen(device: id, filter: filter))
    }
}

/// Changes what apps change about a screen.
struct ChangeScreen: Command {
    let device: String
    let patch: ScreenPatch

    func apply(to simulation: Simulation) throws(InputError) {
        try simulation.devices.withScreen(of: device) { table, time throws(InputError) in
            ((), try table.changeScreen(of: device, patch, at: time.now, clock: time.now(ofScope:)))
        }
    }
}

extension Server {
    /// Changes what apps change about a screen, and returns it.
    @discardableResult
    package func changeScreen(of id: String, _ patch: ScreenPatch) async throws(InputError) -> JSONValue {
        try await perform(ChangeScreen(device: id, patch: patch))
        return try await screen(of: id)
    }
}

extension CommandKind {
    static let screens: Numbered = [
        14: Act.self,
        15: RemoveFromScreen.self,
        16: ClearScreen.self,
        17: ChangeScreen.self,
    ]
}
