package import APNsRules

/// What a table of devices doesn't know of the Web Push service that its subscriptions belong to: the address, which is
/// known once a port is bound, and the curve.
package final class WebPushService: Sendable, Equatable {
    private let currentOrigin: @Sendable () -> WebPushOrigin?
    private let pointOfNumber: @Sendable ([UInt8]) -> [UInt8]
    private let isPoint: @Sendable ([UInt8]) -> Bool

    /// A service at an origin.
    ///
    /// - Parameters:
    ///   - publicKey: The point of P-256, 65 bytes, that belongs to a private number of 32 bytes.
    ///   - isOnCurve: Whether 65 bytes are a point of P-256.
    package init(
        origin: @escaping @Sendable () -> WebPushOrigin?, publicKey: @escaping @Sendable ([UInt8]) -> [UInt8],
        isOnCurve: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        currentOrigin = origin
        pointOfNumber = publicKey
        isPoint = isOnCurve
    }

    /// The origin of the endpoints that are handed out; `nil` while no port serves them.
    package var origin: WebPushOrigin? { currentOrigin() }
    package func publicKey(of privateNumber: [UInt8]) -> [UInt8] { pointOfNumber(privateNumber) }
    package func isOnCurve(_ point: [UInt8]) -> Bool { isPoint(point) }

    package static func == (one: WebPushService, other: WebPushService) -> Bool { one === other }
}
