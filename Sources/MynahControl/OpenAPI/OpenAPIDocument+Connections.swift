internal import APNsRules
internal import Mynah
internal import MynahCore

/// The documents of connections and of what arrives on them besides pushes.
extension OpenAPIDocument {
    static let connections: KeyValuePairs<String, Schema> = [
        "Channel": ChannelView.fields.showing, "Connection": ConnectionView.fields.showing,
        "ClosedConnection": ClosedConnection.fields.showing, "FailedHandshake": FailedHandshake.fields.showing,
    ]
}
