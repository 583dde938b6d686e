/// Where the next page of a list begins, of a server that may be none of Mynah's and give pages for ever.
package struct PageCursor: Sendable {
    /// The items that are asked for at a time, the most that the API allows.
    package static let itemsPerPage = 1000
    /// The most pages of a list: ten million items.
    static let pagesMax = 10_000

    /// `nil` for the first page, and after the last one.
    package private(set) var text: String?
    private var pageCount = 0

    package init() {}

    /// Goes on to the page that a page of so many items named as the next one; throws if that can't be.
    package mutating func advance(to next: String?, behind itemCount: Int) throws(ClientError) {
        pageCount += 1
        defer { text = next }
        guard let next else { return }
        guard itemCount > 0 else {
            throw ClientError(
                .notMynah, "the control API names a next page after an empty one: expected the end of the list")
        }
        guard next != text else {
            throw ClientError(.notMynah, "the control API names the same next page again: expected another one")
        }
        guard pageCount < PageCursor.pagesMax else {
            throw ClientError(
                .notMynah,
                "the control API has listed \(PageCursor.pagesMax) pages of \(itemCount) items: expected an end")
        }
    }
}
