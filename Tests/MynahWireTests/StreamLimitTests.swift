import Testing

@testable import MynahWire

struct StreamLimitTests {
    @Test("before any acknowledgement streams are served up to the hard cap")
    func beforeAcknowledgement() {
        var limit = StreamLimit(openMax: 10)
        limit.announce(1)
        #expect(limit.allowsOpening(open: 9))
        #expect(!limit.allowsOpening(open: 10))
    }

    @Test("a limit binds once it is acknowledged")
    func fromAcknowledgementOn() {
        var limit = StreamLimit()
        limit.announce(1)
        limit.acknowledge()
        #expect(limit.allowsOpening(open: 0))
        #expect(!limit.allowsOpening(open: 1))
    }

    @Test("a higher limit applies as soon as it is sent")
    func higherLimitHoldsAtOnce() {
        var limit = StreamLimit()
        limit.announce(1)
        limit.acknowledge()
        limit.announce(1000)
        #expect(limit.allowsOpening(open: 999))
        limit.acknowledge()
        #expect(limit.allowsOpening(open: 999))
        #expect(!limit.allowsOpening(open: 1000))
    }

    @Test("a lower limit does not bind before its acknowledgement")
    func lowerLimitWaits() {
        var limit = StreamLimit()
        limit.announce(1000)
        limit.acknowledge()
        limit.announce(1)
        #expect(limit.allowsOpening(open: 500))
        limit.acknowledge()
        #expect(!limit.allowsOpening(open: 1))
        #expect(limit.latest == 1)
    }

    @Test("acknowledgements are counted in the order of the frames, and a surplus one is ignored")
    func acknowledgementsInOrder() {
        var limit = StreamLimit()
        limit.announce(1)
        limit.announce(1000)
        limit.acknowledge()
        #expect(limit.allowsOpening(open: 999))
        limit.acknowledge()
        limit.acknowledge()
        #expect(limit.latest == 1000)
    }
}
