/// The method is one that the resource has (`ProviderAPI#Channel-management`, `ProviderAPI#Sending-a-broadcast`).
enum ChannelMethodCheck {
    static func operation(of request: borrowing ChannelRequest) throws(Refusal) -> ChannelRequest.Operation {
        if let operation = request.operation { return operation }
        let expected =
            switch request.resource {
            case .broadcasts: "POST was"
            case .channels: "POST, GET or DELETE was"
            case .allChannels: "GET was"
            }
        throw Refusal(.methodNotAllowed, ":method is \(request.candidate.text(.method)); \(expected) expected")
    }
}
