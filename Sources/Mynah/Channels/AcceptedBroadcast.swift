internal import APNsRules
internal import MynahCore

/// A broadcast that its channel admits, and how far it has gone.
struct AcceptedBroadcast: Sendable {
    enum Progress: Sendable {
        /// Delivered to the devices that follow its channel.
        case done(ChannelStore.Reach)
        /// Accepted and delivered later, after it is in the journal, because its channel has many followers.
        case ahead(Broadcast)
        /// Held back by a fault, which delivers it after this time.
        case held(Broadcast, Duration)
        /// Delivered to no device, with the outcome and the reason.
        case ended(Outcome, String)
    }

    let accepted: ChannelStore.Accepted
    private(set) var progress: Progress
    var sequence: UInt64 { accepted.sequence }

    /// The broadcast when it has gone to its followers.
    func done(_ reach: ChannelStore.Reach) -> AcceptedBroadcast {
        AcceptedBroadcast(accepted: accepted, progress: .done(reach))
    }

    var deviceCount: Int { if case .done(let reach) = progress { reach.deviceCount } else { 0 } }

    var outcome: Outcome {
        switch progress {
        case .done(let reach): reach.isDelivered ? .delivered : reach.storedUntil == nil ? .discarded : .stored
        case .ahead: .pending
        case .held: .deferred
        case .ended(let outcome, _): outcome
        }
    }

    /// What is unusual about the outcome, in words.
    var detail: String? {
        switch progress {
        case .done(let reach):
            guard !reach.isDelivered else { return nil }
            let nobody = "no activity of a device that is online took it"
            return reach.storedUntil.map { "\(nobody); the channel keeps it until \($0.rfc3339)" } ?? nobody
        case .ahead: return nil
        case .held: return "a fault delivers it late"
        case .ended(_, let why): return why
        }
    }
}
