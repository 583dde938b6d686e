internal import APNsRules

/// The ids of devices.
enum DeviceID {
    private static let bytesMax = 128
    // `@` and `:` as in addresses.
    private static let punctuation = "._:@-"
    static let form = Form.name("a device id", bytesMax: bytesMax, punctuation: punctuation)
    /// The form of a device's id in filters: also the id of a device of a fleet, which has a number, and of an unknown
    /// device, which is its token.
    static let filterForm = Form.name(
        "a device id", bytesMax: 2 * DeviceToken.byteCountMax, punctuation: punctuation)
}

/// The ids of fault rules.
enum FaultRuleID {
    /// The most bytes of an id that a call gives a rule.
    static let ownBytesMax = 64
    /// The form of a rule's id: also an id that a scenario gives its rule in a scope, the rule's own, `@` and the
    /// scope's name.
    static let form = Form.name("a rule id", bytesMax: 2 * ownBytesMax + 1, punctuation: "._@-")
}
