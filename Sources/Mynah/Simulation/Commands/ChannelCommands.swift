package import APNsRules
package import MynahCore
internal import Synchronization

/// Makes a channel, which is an event; throws if its id is taken, or its app has as many as it may have.
struct CreateChannel: Command {
    let specification: ChannelSpecification

    func apply(to simulation: Simulation) throws(InputError) -> ChannelView {
        try simulation.channels.create(specification)
    }
}

extension Server {
    /// Makes a channel, which is an event; throws if its id is taken, or its app has as many as it may have.
    package func createChannel(_ specification: ChannelSpecification) async throws(InputError) -> ChannelView {
        try await perform(CreateChannel(specification: specification))
    }
}

/// Makes the channels of fixtures, all or none, now and after each reset; errors are below `/channels`.
struct LoadChannels: Command {
    let specifications: [ChannelSpecification]

    func apply(to simulation: Simulation) throws(InputError) {
        let made = try simulation.channels.create(specifications, place: "/channels")
        simulation.baseline.withLock { baseline in
            for (specification, channel) in zip(specifications, made) {
                var specification = specification
                specification.id = channel.id
                baseline.channels.append(specification)
            }
        }
    }
}

/// Deletes a channel, as its provider does, and returns it as it was; `nil` without one.
struct RemoveChannel: Command {
    let id: ChannelID

    func apply(to simulation: Simulation) -> ChannelView? {
        simulation.channels.change { $0.remove(id) }.map { simulation.channels.report($0, .removed) }
    }
}

extension Server {
    /// Deletes a channel, as its provider does, and returns it as it was; `nil` without one.
    package func removeChannel(_ id: ChannelID) async throws(InputError) -> ChannelView? {
        try await perform(RemoveChannel(id: id))
    }
}

/// Forgets all channels and the ids of deleted ones, in one event; returns how many channels there were.
struct ForgetChannels: Command {
    func apply(to simulation: Simulation) -> Int {
        let count = simulation.channels.removeAll(startsOver: false)
        simulation.events.record(.reset(removed: ["channels": .whole(count)], only: ["channels"], scope: nil))
        return count
    }
}

extension Server {
    /// Forgets all channels and the ids of deleted ones, in one event; returns how many channels there were.
    package func forgetChannels() async throws(InputError) -> Int { try await perform(ForgetChannels()) }
}

extension CommandKind {
    static let channels: Numbered = [
        25: CreateChannel.self,
        26: LoadChannels.self,
        27: RemoveChannel.self,
        28: ForgetChannels.self,
    ]
}
