import Foundation

/// A test's own folder, removed after the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/mynah-trust-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            preconditionFailure("the test's folder cannot be removed: \(error)")
        }
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    func read(_ name: String) throws -> String { try String(contentsOfFile: self(name), encoding: .utf8) }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: self(name), atomically: false, encoding: .utf8)
    }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: self(name))[.posixPermissions] as? Int
    }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self(folder)).sorted()
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: self(name)) }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
    }

    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self(name))
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: self(name), withDestinationPath: target)
    }
}
