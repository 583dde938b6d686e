/// Which failures an answered push survives: the words of `--sync`, by which ``BatchFiles`` waits for the disk.
package enum LogSync: String, CaseIterable, Sendable {
    /// The end of the process, and of the machine's power: a commit waits for the disk.
    case full
    /// The end of the process. A power cut may take back the newest commits, whose bytes ``BatchFiles`` bounds, and leaves
    /// the others whole.
    case normal
}
