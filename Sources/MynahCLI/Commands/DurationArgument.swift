import APNsRules
import ArgumentParser

/// A duration on a command line, with its text, which is sent to the API as it is.
struct DurationArgument: ExpressibleByArgument, Sendable {
    let text: String
    let duration: Duration

    init?(argument: String) {
        guard let duration = DurationText.parse(argument) else { return nil }
        self.text = argument
        self.duration = duration
    }

    var defaultValueDescription: String { text }
}
