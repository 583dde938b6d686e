internal import APNsRules

/// SETTINGS_MAX_CONCURRENT_STREAMS as the peer is bound by it (RFC 9113 §6.5.3, `ProviderAPI#Stream-limits`).
///
/// A limit binds from the peer's ACK on; streams opened before that are served up to the hard cap. A higher
/// limit holds as soon as it is on its way, since a peer that uses it early has seen it.
package struct StreamLimit: Sendable, Equatable {
    // Announced and not yet acknowledged, the oldest first.
    private var announced: [Int] = []
    private var acknowledged: Int?
    private let openMax: Int

    /// Creates a limit of which nothing was announced yet; `openMax` is the hard cap.
    package init(openMax: Int = Limits.streamsMax) {
        self.openMax = openMax
    }

    /// The limit that was announced last.
    package var latest: Int? { announced.last ?? acknowledged }

    /// Notes a SETTINGS frame with this limit on its way out.
    package mutating func announce(_ limit: Int) {
        announced.append(limit)
    }

    /// Notes the peer's acknowledgement of the oldest SETTINGS frame without one.
    package mutating func acknowledge() {
        guard !announced.isEmpty else { return }
        acknowledged = announced.removeFirst()
    }

    /// Whether another stream may open when `open` streams are open.
    package func allowsOpening(open: Int) -> Bool {
        guard let acknowledged else { return open < openMax }
        let limit = announced.reduce(acknowledged) { max($0, $1) }
        return open < limit
    }
}
