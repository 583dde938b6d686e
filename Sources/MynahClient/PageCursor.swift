/// Where the next page of a list begins, of a server that may be none of Mynah's and give pages for ever.
package struct PageCursor: Sendable {
    /// The items that are asked for at a time, the most that the API allows.
    package static let itemsPerPage = 1000
    /// The most pages of a list: ten million items.
    static let pagesMax = 10_000
    /// The most bytes of the answers of a list that is kept whole: a gigabyte, many times what a server's memory holds of
    /// any list but the journal, which is read page by page.
    package static let keptBytesMax = 1 << 30

    /// `nil` for the first page, and after the last one.
    package private(set) var text: String?
    private var pageCount = 0
    // Of the pages so far.
    private var byteCount = 0
    private let bytesMax: Int?

    /// A cursor at the first page; `bytesMax` bounds the pages together, `nil` for a list of which nothing is kept.
    package init(bytesMax: Int? = nil) { self.bytesMax = bytesMax }

    /// Goes on to the page that a page of so many items and bytes named as the next one; throws if that can't be.
    package mutating func advance(
        to next: String?, behind itemCount: Int, bytes: Int = 0
    ) throws(ClientError) {
        pageCount += 1
        byteCount += bytes
        if let bytesMax, byteCount > bytesMax {
            throw ClientError(
                .notMynah,
                "the control API has listed more than \(bytesMax) bytes in \(pageCount) pages: expected an end")
        }
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
