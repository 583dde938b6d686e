/// Which failures an answered push survives: the words of `--sync`.
package enum LogSync: String, CaseIterable, Sendable {
    /// The end of the process, and of the machine's power: a commit waits for the disk.
    case full
    /// The end of the process. A power cut may take back the newest commits, and leaves the others whole.
    case normal
}
