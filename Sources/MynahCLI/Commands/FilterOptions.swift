import ArgumentParser
import MynahClient

/// One flag per filter key (`ControlAPI#Filters`); the same flag again is *any of*, different
/// flags are *all of*.
struct FilterOptions: ParsableArguments {
    @OptionGroup var request: RequestFilterOptions
    @Option(help: "Scope of the device.") var scope: [String] = []
    @Option(help: "apns-priority.") var priority: [String] = []
    @Option(help: "Status answered, like 200.") var status: [String] = []
    @Option(help: "Reason answered, like BadDeviceToken.") var reason: [String] = []
    @Option(help: "Outcome, like delivered or refused.") var outcome: [String] = []
    @Option(help: "Whether the user saw the push: true or false.") var shown: [String] = []
    @Option(help: "Id of the fault that affected the push, or none.") var fault: [String] = []
    @Option(help: "Received at this time or later, RFC 3339.") var since: [String] = []
    @Option(help: "Received before this time, RFC 3339.") var until: [String] = []

    @Option(
        help: ArgumentHelp(
            "Value that the user saw, by JSON pointer into the notification, like /title=Hello or /badge=3.",
            valueName: "pointer=value"))
    var screen: [String] = []

    func validate() throws {
        for text in screen where NamedValue(pointer: text) == nil {
            throw ValidationError("--screen \(text): expected a JSON pointer, = and a value, like /title=Hello")
        }
    }

    /// The filters as parameters of a URL.
    var queryItems: [QueryItem] {
        terms.map { term in QueryItem(term.pointer.map { "\(term.key).\($0)" } ?? term.key, term.value) }
    }

    /// The filters as terms of a match.
    var terms: [MatchTerm] {
        request.terms(and: [
            ("scope", scope), ("priority", priority), ("status", status), ("reason", reason), ("outcome", outcome),
            ("shown", shown), ("fault", fault), ("since", since), ("until", until),
        ]) + MatchTerm.terms(key: "screen", screen)
    }
}
