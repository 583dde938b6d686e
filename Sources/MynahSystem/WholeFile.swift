/// Why a file can't be read whole.
package enum WholeFileProblem {
    /// An error of the system, by its number.
    case system(Int32)
    /// The file has more bytes than may be read.
    case tooLarge
    /// The file is a pipe or a device from which nothing has come for ``WholeFile/silenceMax``.
    case silent

    /// The problem as a clause.
    package var text: String {
        switch self {
        case .system(let number): strerror(number).map { String(cString: $0) } ?? "error \(number)"
        case .tooLarge: "File too large"
        case .silent: "it is no plain file, and nothing has come from it for \(WholeFile.silenceMax) s"
        }
    }
}

/// Reads a file at once, whatever it is: a plain file, a pipe, a device.
package enum WholeFile {
    /// What comes of reading a file.
    package enum Reading {
        case bytes([UInt8])
        case unreadable(WholeFileProblem)
    }

    /// How long the next bytes of a pipe are awaited, in seconds.
    package static let silenceMax = 10

    /// Reads a file; `nil` if it doesn't exist.
    package static func read(_ path: String, bytesMax: Int) -> Reading? {
        // O_NONBLOCK, as the opening of a pipe otherwise waits for a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            return errno == ENOENT ? nil : .unreadable(.system(errno))
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return .unreadable(.system(errno)) }
        let isPlain = status.st_mode & S_IFMT == S_IFREG
        guard !isPlain || status.st_size <= bytesMax else { return .unreadable(.tooLarge) }
        return rest(of: file, bytesMax: bytesMax, mayBeSilent: isPlain)
    }

    /// Reads the rest of an open file such as standard input, whose writer may take its time.
    package static func read(_ descriptor: Int32, bytesMax: Int) -> Reading {
        rest(of: descriptor, bytesMax: bytesMax, mayBeSilent: true)
    }

    private static func rest(of file: Int32, bytesMax: Int, mayBeSilent: Bool) -> Reading {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var mayBeRead = mayBeSilent
        while true {
            if !mayBeRead, let problem = wait(for: file) { return .unreadable(problem) }
            let count = chunk.withUnsafeMutableBytes { readBytes(file, $0) }
            mayBeRead = mayBeSilent
            if count == 0 { return .bytes(bytes) }
            guard count > 0 else {
                guard errno == EINTR || errno == EAGAIN else { return .unreadable(.system(errno)) }
                if errno == EAGAIN { mayBeRead = false }
                continue
            }
            guard bytes.count + count <= bytesMax else { return .unreadable(.tooLarge) }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Waits until something can be read; returns why nothing can.
    private static func wait(for file: Int32) -> WholeFileProblem? {
        var asked = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&asked, 1, Int32(silenceMax) * 1000)
            if count > 0 { return nil }
            guard count < 0 else { return .silent }
            guard errno == EINTR else { return .system(errno) }
        }
    }
}

private func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(file, buffer.baseAddress, buffer.count)
}
