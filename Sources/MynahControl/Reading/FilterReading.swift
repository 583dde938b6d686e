internal import MynahCore

enum FilterReading {
    static func filter(_ pairs: [QueryString.Parameter], otherParameters: [String]) throws(Problem) -> Filter {
        Filter()
    }
}
