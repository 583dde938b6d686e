import ArgumentParser
import MynahClient

/// A duration on a command line, kept as it was written, because the API reads the same form.
struct DurationText: ExpressibleByArgument, Sendable {
    let text: String
    let duration: Duration

    init?(argument: String) {
        guard let duration = Duration(units: argument) else { return nil }
        self.text = argument
        self.duration = duration
    }

    var defaultValueDescription: String { text }
}
