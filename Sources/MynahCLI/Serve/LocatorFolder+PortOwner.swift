import Mynah
import MynahClient

extension LocatorFolder {
    /// Finds the running server of this user that has a port, whichever command started it.
    static func portOwner(
        environment: [String: String] = ProcessEnvironment.variables
    ) -> PortOwner.Finder {
        PortOwner.Finder { port in
            // Without the folder, nothing is known.
            let servers = (try? LocatorFolder(environment: environment).servers(of: Owner.allCases)) ?? []
            guard let server = servers.first(where: { $0.listens(on: port) }) else { return nil }
            let folder = server.caFile.flatMap { file in file.lastIndex(of: "/").map { String(file[..<$0]) } }
            return PortOwner(pid: server.pid, folder: folder, controlURL: server.controlURL)
        }
    }
}
