import Foundation

/// Sends headlines to whoever has subscribed.
public actor Newsletter {
    /// The app's bundle id.
    public static let topic = "com.example.news"
    // What is tried again, and how often.
    private static let attemptsMax = 3
    private static let passing: Set<Int> = [429, 500, 503]

    private let client: APNsClient
    /// Whom it is sent to, by device token.
    public private(set) var subscribers: [String]

    /// A newsletter for device tokens.
    public init(_ client: APNsClient, subscribers: [String]) {
        self.client = client
        self.subscribers = subscribers
    }

    /// Sends a headline to each subscriber, and forgets those whose app is gone.
    public func publish(_ headline: String) async throws {
        let payload = #"{"aps":{"alert":{"title":"\#(headline)"},"badge":1}}"#
        for subscriber in subscribers {
            var status = try await client.send(payload, to: subscriber, topic: Newsletter.topic)
            for _ in 1..<Newsletter.attemptsMax where Newsletter.passing.contains(status) {
                status = try await client.send(payload, to: subscriber, topic: Newsletter.topic)
            }
            if status == 410 { subscribers.removeAll { $0 == subscriber } }
        }
    }

    /// Shows a score to all who follow the match, whoever they are; answers whether APNs took it.
    public func report(score: String, on channel: String) async throws -> Bool {
        let time = Int(Date().timeIntervalSince1970)
        let payload = #"{"aps":{"event":"update","timestamp":\#(time),"content-state":{"score":"\#(score)"}}}"#
        return try await client.broadcast(payload, to: channel, of: Newsletter.topic) == 200
    }
}
