internal import MynahCore

extension QueryString {
    /// What was not taken, as filters read it.
    var pairs: [(name: String, value: String)] { rest.map { ($0.name, $0.value) } }
}

/// Reads filters as the control API gets them.
enum FilterReading {
    /// The filter of what is left of a URL's parameters; everything else in it must have been taken.
    ///
    /// - Parameter otherParameters: what the call knows beside filters, for the error that lists them.
    static func filter(
        _ parameters: [QueryString.Parameter], otherParameters: [String]
    ) throws(Problem) -> Filter {
        do {
            return try Filter(parameters: parameters.map { ($0.name, $0.value) }, besides: otherParameters)
        } catch {
            throw Problem(error)
        }
    }
}
