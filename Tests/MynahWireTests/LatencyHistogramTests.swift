import Testing

@testable import MynahWire

@Suite("The histogram of reply times")
struct LatencyHistogramTests {
    @Test("a time falls into the first bucket whose bound it does not exceed")
    func buckets() {
        for (index, bound) in LatencyHistogram.bounds.enumerated() {
            var histogram = LatencyHistogram()
            histogram.record(bound, count: 1)
            histogram.record(bound + 1, count: 2)
            #expect(histogram.counts[index] == 1)
            #expect(histogram.counts[index + 1] == 2)
            #expect(histogram.counts.reduce(0, +) == 3)
            #expect(histogram.nanoseconds == bound + 2 * (bound + 1))
        }
    }

    @Test("bounds are ascending")
    func boundsRise() {
        #expect(LatencyHistogram.bounds == LatencyHistogram.bounds.sorted())
        #expect(Set(LatencyHistogram.bounds).count == LatencyHistogram.bounds.count)
    }

    @Test("the counts of two loops add up")
    func adding() {
        var first = LatencyHistogram()
        first.record(1, count: 3)
        var second = LatencyHistogram()
        second.record(1, count: 4)
        second.record(UInt64.max / 8, count: 1)
        first.add(second)
        #expect(first.counts.first == 7)
        #expect(first.counts.last == 1)
        #expect(first.nanoseconds == 7 + UInt64.max / 8)
    }

    @Test("replies are timed once, from the first read without an answer")
    func timer() {
        var timer = ReplyTimer()
        var histogram = LatencyHistogram()
        timer.handedOver(to: &histogram)
        #expect(histogram == LatencyHistogram())
        timer.bytesRead()
        timer.answered(2)
        timer.bytesRead()
        timer.answered(1)
        timer.handedOver(to: &histogram)
        #expect(histogram.counts.reduce(0, +) == 3)
        timer.handedOver(to: &histogram)
        #expect(histogram.counts.reduce(0, +) == 3)
    }
}
