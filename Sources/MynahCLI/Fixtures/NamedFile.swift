internal import MynahClient

/// Files that a flag, a variable or a setting names.
enum NamedFile {
    /// The bytes of a file, or of standard input for `-` if that is allowed.
    ///
    /// - Parameters:
    ///   - origin: What named the file, such as `--file`, for messages.
    ///   - status: The exit status if there is no such file.
    /// - Throws: ``CommandFailure``; with ``CommandStatus/configuration`` if the file can't be read.
    static func bytes(
        _ path: String, from origin: String? = nil, orStandardInput: Bool = false,
        status: CommandStatus = .configuration
    ) throws(CommandFailure) -> [UInt8] {
        let place = origin.map { $0 + ": " } ?? ""
        let bytes: [UInt8]?
        do throws(ClientError) {
            bytes = try path == "-" && orStandardInput ? FileAccess.readStandardInput() : FileAccess.read(path)
        } catch {
            throw CommandFailure(.configuration, place + error.message)
        }
        guard let bytes else { throw CommandFailure(status, "\(place)there is no file \(path)") }
        return bytes
    }

    /// The text of a file, as ``bytes(_:from:orStandardInput:status:)``.
    static func text(
        _ path: String, from origin: String? = nil, orStandardInput: Bool = false,
        status: CommandStatus = .configuration
    ) throws(CommandFailure) -> String {
        String(
            decoding: try bytes(path, from: origin, orStandardInput: orStandardInput, status: status), as: UTF8.self)
    }
}
