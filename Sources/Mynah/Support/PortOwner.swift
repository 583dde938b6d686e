/// A running Mynah that has a port which another one wants, for the message of the latter.
package struct PortOwner: Sendable, Hashable {
    /// Finds the running Mynah that has a port.
    package struct Finder: Sendable {
        private let find: @Sendable (_ port: Int) -> PortOwner?

        /// `find` returns `nil` if none is known to have the port.
        package init(_ find: @escaping @Sendable (_ port: Int) -> PortOwner?) { self.find = find }

        /// Knows of none.
        package static let none = Finder { _ in nil }

        package func callAsFunction(_ port: Int) -> PortOwner? { find(port) }
    }

    /// The id of the process that has the port.
    package let pid: Int32
    /// The owner's state folder; `nil` if its state is in memory only.
    package let folder: String?
    /// The URL of the owner's control API.
    package let controlURL: String

    package init(pid: Int32, folder: String?, controlURL: String) {
        self.pid = pid
        self.folder = folder
        self.controlURL = controlURL
    }

    /// Why a port that is taken can't be bound, and what to do; `setting` is the port's setting.
    package static func problem(_ port: Int, on address: String, setting: String, owner: PortOwner?) -> String {
        let other = "choose another \(setting), or 0 for a free port"
        guard let owner else { return "port \(port) is taken on \(address): \(other)" }
        let folder = owner.folder.map { ", whose state is in \($0)," } ?? ""
        return "port \(port) is taken on \(address) by a Mynah, process \(owner.pid)\(folder) at \(owner.controlURL): "
            + "use it with --url \(owner.controlURL), stop it with `kill \(owner.pid)`, or \(other)"
    }
}
