internal import APNsRules
internal import MynahCore
internal import MynahTrust
internal import Synchronization

/// The origin of the endpoints that a server hands out.
///
/// There is no origin until a port for web pushes is bound: an endpoint of Apple's would send test pushes to Apple.
final class WebPushAddress: Sendable {
    /// The origin, and the hosts by which the endpoints can be reached.
    struct Place {
        let origin: WebPushOrigin?
        let knownHosts: Set<String>

        fileprivate init(_ origin: WebPushOrigin?) {
            let apple = WebPushOrigin.apple
            self.origin = origin
            knownHosts = [(origin ?? apple).host, apple.host, "localhost", "127.0.0.1", "[::1]"]
        }
    }

    private let current = Mutex(Place(nil))

    var place: Place { current.withLock { $0 } }
    var origin: WebPushOrigin? { place.origin }

    /// Records the port that was bound.
    ///
    /// - Parameter host: what the listeners bind; clients on this machine reach all addresses by localhost.
    func bound(host: String, port: Int) {
        let isEveryAddress = ["0.0.0.0", "::", "127.0.0.1", "::1"].contains(host)
        let name = isEveryAddress ? "localhost" : host.contains(":") ? "[\(host)]" : host
        current.withLock { $0 = Place(WebPushOrigin(host: name, port: port)) }
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
            }, isOnCurve: { P256PublicKey.isPoint($0) })
    }
}
