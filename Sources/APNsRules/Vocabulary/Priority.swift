/// `apns-priority`: how much of the device's power a push may cost (`ProviderAPI#Headers`).
public enum Priority: UInt8, CaseIterable, Sendable {
    case immediate = 10
    /// Sent when the device's power allows, grouped with others.
    case powerConsiderate = 5
    case lowest = 1

    /// Reads the header's value: exactly `10`, `5` or `1`, or `nil`.
    public init?(_ text: Span<UInt8>) {
        switch text.count {
        case 1 where text[0] == 0x35: self = .powerConsiderate
        case 1 where text[0] == 0x31: self = .lowest
        case 2 where text[0] == 0x31 && text[1] == 0x30: self = .immediate
        default: return nil
        }
    }
}
