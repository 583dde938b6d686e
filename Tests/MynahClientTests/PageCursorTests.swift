import Testing

@testable import MynahClient

@Suite("Where the pages of a list end")
struct PageCursorTests {
    @Test("a list that is kept whole ends at its bytes, however few its pages are")
    func bytes() throws {
        var cursor = PageCursor(bytesMax: 1000)
        try cursor.advance(to: "a", behind: 1, bytes: 600)
        try cursor.advance(to: "b", behind: 1, bytes: 400)
        let error = try #require(throws: ClientError.self) { try cursor.advance(to: nil, behind: 1, bytes: 1) }
        #expect(error.code == .notMynah)
        #expect(error.message == "the control API has listed more than 1000 bytes in 3 pages: expected an end")
    }

    @Test("a list of which nothing is kept ends at its pages alone")
    func pages() throws {
        var cursor = PageCursor()
        for number in 1..<PageCursor.pagesMax {
            try cursor.advance(to: "\(number)", behind: 1, bytes: PageCursor.keptBytesMax)
        }
        #expect(throws: ClientError.self) { try cursor.advance(to: "last", behind: 1) }
    }
}
