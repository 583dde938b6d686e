/// Adds up the memory that the regular expressions of a document take, and refuses the one that is too much.
struct PatternBudget {
    /// The most for one filter: a dozen of the largest patterns, a thousand usual ones.
    static let filterBytesMax = 1 << 19
    /// The most for all filters of an expectation.
    static let expectationBytesMax = 1 << 20
    /// The most for all fault rules of a server; a thousand rules with the largest pattern need half of it.
    static let rulesBytesMax = 64 << 20

    private let byteCountMax: Int
    private var byteCount = 0

    /// A budget of which nothing is used.
    init(_ byteCountMax: Int) {
        self.byteCountMax = byteCountMax
    }

    /// Takes what a part of the document needs.
    ///
    /// - Throws: ``InputError`` of the part's place when it is not there.
    mutating func take(_ count: Int, at place: String) throws(InputError) {
        byteCount += count
        guard byteCount <= byteCountMax else {
            throw InputError(
                at: place,
                "the regular expressions up to here take \(byteCount) bytes of memory: expected at most \(byteCountMax); "
                    + "use fewer or simpler ones")
        }
    }
}
