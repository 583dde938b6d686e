internal import APNsRules
internal import MynahClient
internal import MynahCore

/// Fault rules in a file of the user's, read before they are sent, so that an error has its line.
enum DescribedRules {
    /// The file's JSON, a rule or an array of them.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file, line and field.
    static func read(_ path: String) throws(CommandFailure) -> JSONValue {
        let text: String?
        do throws(ClientError) { text = try FileAccess.readText(path) } catch {
            throw CommandFailure(.configuration, "--file: \(error.message)")
        }
        guard let text else { throw CommandFailure(.configuration, "--file: there is no file \(path)") }
        let document = try LocatedDocument(text, path: path)
        do throws(InputError) { _ = try FaultDraft.list(json: document.value) } catch {
            throw YAMLText.failure(
                path, document.line(of: error.field), error.description)
        }
        return document.value
    }
}
