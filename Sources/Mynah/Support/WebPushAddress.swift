internal import APNsRules
internal import MynahCore
internal import MynahTrust
internal import Synchronization

/// The origin of the endpoints that a server hands out.
///
/// There is none until a port for web pushes is bound: an endpoint of Apple's would send a provider's test pushes there.
final class WebPushAddress: Sendable {
    private let current = Mutex<WebPushOrigin?>(nil)

    var origin: WebPushOrigin? { current.withLock { $0 } }

    /// Notes the port that was bound.
    ///
    /// - Parameter host: what the listeners bind; clients on this machine reach all addresses by localhost.
    func bound(host: String, port: Int) {
        let isEveryAddress = ["0.0.0.0", "::", "127.0.0.1", "::1"].contains(host)
        let name = isEveryAddress ? "localhost" : host.contains(":") ? "[\(host)]" : host
        current.withLock { $0 = WebPushOrigin(host: name, port: port) }
    }

    /// The service as devices see it.
    var service: WebPushService {
        WebPushService(
            origin: { self.origin },
            publicKey: { number in
                do {
                    return try WebPushCurve.point(ofNumber: number)
                } catch {
                    // Every number that a table draws is a private key.
                    preconditionFailure("OpenSSL has no memory for a key: \(error)")
                }
            }, isOnCurve: { WebPushCurve.hasPoint($0) })
    }
}
