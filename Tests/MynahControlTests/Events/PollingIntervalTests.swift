import Testing

@testable import MynahControl

@Suite("How readers of events hold back")
struct ReadingPaceTests {
    private let start = ContinuousClock.now

    private func pace(readers count: Int) -> ReadingPace {
        let readers = EventReaders()
        for _ in 0..<count { readers.enter() }
        return ReadingPace(readers, issued: 0, now: start)
    }

    @Test("while little happens, a rest only gathers, and what is there is read at once")
    func quiet() {
        var pace = pace(readers: 10)
        let now = start + .milliseconds(100)
        pace.begin(now: now)
        #expect(pace.rest(issued: 5, hasFound: true, hasMore: false, now: now) == ReadingPace.gatheringRest)
        #expect(pace.rest(issued: 5, hasFound: true, hasMore: true, now: now) == .zero)
        #expect(pace.rest(issued: 5, hasFound: false, hasMore: false, now: now) == .zero)
    }

    @Test("at twenty thousand a second, all together take about a twentieth of a core", arguments: [1, 4, 10])
    func loaded(count: Int) {
        var pace = pace(readers: count)
        let ended = start + .milliseconds(100)
        let work: Duration = .milliseconds(4)
        pace.begin(now: ended - work)
        let rest = pace.rest(issued: 2000, hasFound: true, hasMore: true, now: ended)
        #expect((0.5...2.5).contains(rest / (work * (22 * count))))
        // A slow reader's look may have lasted for seconds.
        pace.begin(now: ended)
        let late = ended + .seconds(3)
        let longest = pace.rest(issued: 1_000_000, hasFound: true, hasMore: true, now: late)
        #expect((0.5...1.5).contains(longest / ReadingPace.restMax))
    }

    @Test("in a flood a quick look is no reason for another one soon")
    func flood() {
        var pace = pace(readers: 1)
        let ended = start + .seconds(1)
        pace.begin(now: ended - .microseconds(100))
        let rest = pace.rest(issued: 50_000, hasFound: true, hasMore: true, now: ended)
        #expect((0.5...1.5).contains(rest / ReadingPace.restMax))
    }

    @Test("readers that hold back look at the same moments")
    func together() {
        let readers = EventReaders()
        for _ in 0..<10 { readers.enter() }
        let moments = (0..<10).map { number -> Duration in
            var pace = ReadingPace(readers, issued: 0, now: readers.start)
            let ended = readers.start + .milliseconds(2050 + number)
            pace.begin(now: ended - .milliseconds(4))
            let rest = pace.rest(issued: 200_000, hasFound: true, hasMore: true, now: ended)
            return readers.start.duration(to: ended + rest)
        }
        #expect(Set(moments) == [.milliseconds(3072)])
    }
}
