/// Why a log can't be opened, read or written, in words for its user.
package struct LogProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of problem; nothing depends on the words.
    package enum Code: String, Sendable {
        /// No space is left on the disk, or in the user's quota.
        case full
        /// The file or its folder can't be written, or the log was opened for reading.
        case readOnly
        case noPermission
        case missing
        /// The log is open in another process.
        case inUse
        /// The content is not what was written.
        case damaged
        /// A later version of Mynah wrote the file.
        case newer
        /// The file was written by another program.
        case foreign
        /// The batches that were asked for have been trimmed.
        case trimmed
        /// A batch, piece or note is larger than ``RunLog/bytesMax``.
        case tooLarge
        /// The system failed to read or write.
        case inputOutput
        /// The log has been closed.
        case closed
        /// A cluster's engine can't be reached, or doesn't answer.
        case unreachable
        /// A cluster's engine refuses the credentials.
        case denied
        /// What is needed for a cluster is missing, or is not as it has to be.
        case unsuitable
        /// The server differs from the other servers of its cluster.
        case different
    }

    package let code: Code
    /// The file or folder, or the name of the cluster.
    package let file: String
    /// A clause without a full stop.
    package let problem: String
    /// A clause without a full stop; may be empty.
    package let remedy: String

    package init(_ code: Code, file: String, _ problem: String, remedy: String = "") {
        self.code = code
        self.file = file
        self.problem = problem
        self.remedy = remedy
    }

    /// Whether the problem is of a cluster, not of a file.
    package var isOfCluster: Bool {
        switch code {
        case .unreachable, .denied, .unsuitable, .different: true
        default: false
        }
    }

    /// The content of a file is whole, and can't be read.
    package init(unreadable file: String, _ problem: String) {
        self.init(
            .damaged, file: file, "it can't be read: \(problem)",
            remedy: "Open it with the version of Mynah that wrote it, or start with another folder")
    }

    /// A change of a file can't be read; the file is whole.
    package init(unreadable file: String, _ place: ReplayMark.Place, _ problem: String) {
        self.init(
            .damaged, file: file, "its change \(place) can't be read: \(problem)",
            remedy: "Open it with the version of Mynah that wrote it, leave that change out (--leave-out \(place)), "
                + "or start with another folder")
    }

    /// The problem of a file without content.
    package init(notBegun file: String) {
        self.init(
            .missing, file: file,
            "it has no run yet: its server was ended while it started, or the files beside it were not copied with it",
            remedy: "\(LogProblem.copyRemedy), or start a server with it, which begins a run")
    }

    /// What helps if files beside the database are missing, which have the newest batches of a server that was killed.
    static let copyRemedy = "Copy the whole folder, with all files whose names begin with run.mynah"

    package var description: String {
        "\(file): \(problem)." + (remedy.isEmpty ? "" : " \(remedy).")
    }
}
