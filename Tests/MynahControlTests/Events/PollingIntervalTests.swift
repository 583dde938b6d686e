import Testing

@testable import MynahControl

@Suite("The polling interval of readers of events")
struct PollingIntervalTests {
    private let start = ContinuousClock.now

    private func interval(readers count: Int) -> PollingInterval {
        let readers = EventReaders()
        for _ in 0..<count { readers.enter() }
        return PollingInterval(readers, issued: 0, now: start)
    }

    @Test("under light load the interval only batches, and a backlog is read at once")
    func quiet() {
        var interval = interval(readers: 10)
        let now = start + .milliseconds(100)
        interval.begin(now: now)
        #expect(interval.next(issued: 5, hasFound: true, hasMore: false, now: now) == PollingInterval.shortest)
        #expect(interval.next(issued: 5, hasFound: true, hasMore: true, now: now) == .zero)
        #expect(interval.next(issued: 5, hasFound: false, hasMore: false, now: now) == .zero)
    }

    @Test("at 20,000 pushes a second all readers together use about a twentieth of a core", arguments: [1, 4, 10])
    func loaded(count: Int) {
        var interval = interval(readers: count)
        let ended = start + .milliseconds(100)
        let work: Duration = .milliseconds(4)
        interval.begin(now: ended - work)
        let pause = interval.next(issued: 2000, hasFound: true, hasMore: true, now: ended)
        #expect((0.5...2.5).contains(pause / (work * (22 * count))))
        // A slow reader may read for seconds.
        interval.begin(now: ended)
        let late = ended + .seconds(3)
        let longest = interval.next(issued: 1_000_000, hasFound: true, hasMore: true, now: late)
        #expect((0.5...1.5).contains(longest / PollingInterval.longest))
    }

    @Test("in a flood the interval is the longest, however fast the read was")
    func flood() {
        var interval = interval(readers: 1)
        let ended = start + .seconds(1)
        interval.begin(now: ended - .microseconds(100))
        let pause = interval.next(issued: 50_000, hasFound: true, hasMore: true, now: ended)
        #expect((0.5...1.5).contains(pause / PollingInterval.longest))
    }

    @Test("readers under load poll at the same times")
    func together() {
        let readers = EventReaders()
        for _ in 0..<10 { readers.enter() }
        let moments = (0..<10).map { number -> Duration in
            var interval = PollingInterval(readers, issued: 0, now: readers.epoch)
            let ended = readers.epoch + .milliseconds(2050 + number)
            interval.begin(now: ended - .milliseconds(4))
            let pause = interval.next(issued: 200_000, hasFound: true, hasMore: true, now: ended)
            return readers.epoch.duration(to: ended + pause)
        }
        #expect(Set(moments) == [.milliseconds(3072)])
    }
}
