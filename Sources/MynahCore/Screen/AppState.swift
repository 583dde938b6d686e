/// Whether an app runs, and where (`Documents#Devices`).
package enum AppState: String, CaseIterable, Sendable {
    /// On the screen: it gets the payload, and nothing is shown unless it asks for it.
    case foreground
    /// Running, not on the screen.
    case background
    /// In memory, not running.
    case suspended
    /// The user threw it out: it is not woken until the user opens it.
    case forceQuit
}
