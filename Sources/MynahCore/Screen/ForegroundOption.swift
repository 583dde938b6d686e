/// What an app in the foreground lets the system show of a notification (`DeviceBehaviour#What-the-user-sees`).
package enum ForegroundOption: String, CaseIterable, Sendable {
    /// A banner over the app.
    case banner
    /// An entry in the notification list.
    case list
    /// Its sound.
    case sound
    /// The number on the icon.
    case badge
}
