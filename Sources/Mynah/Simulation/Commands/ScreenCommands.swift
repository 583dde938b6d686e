internal import MynahCore

// Changes of the state, which a log keeps; the subcommands are in MynahCLI/Commands.

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
