internal import NIOCore

/// The path of a connection's requests, whose methods are called on its loop when the order has decided a request.
protocol OrderedPath: AnyObject {
    /// Reports what became of a push that was submitted.
    ///
    /// - Parameter taken: When the order took the push.
    func decided(_ push: IncomingPush, _ outcome: ChangeOutcome, taken: NIODeadline)
    /// Reports the answer of a withheld request whose delay is over; `nil` if it was given up before.
    func released(_ released: (push: IncomingPush, result: FaultedPush)?, stream: Int32)
    /// Sends the answers that have been reported since the last call.
    func sendAnswers()
}

/// The requests of one event loop that wait for the order; belongs to that loop.
///
/// The order's thread knows them by their places: to count references to what a loop has made would cost both of them
/// more than everything else that the order does with a push.
final class OrderedRequests {
    /// A loop by its number, and a request's place there.
    struct Place: Sendable {
        fileprivate let loop: Int
        fileprivate let index: Int
    }

    private enum Request {
        case vacant
        case push(IncomingPush, any OrderedPath, taken: NIODeadline)
        case release(stream: Int32, any OrderedPath)
    }

    let order: Order
    private var loop = 0
    private var requests: [Request] = []
    private var vacant: [Int] = []

    init(_ order: Order, on loop: any EventLoop) {
        self.order = order
        self.loop = order.add(NIOLoopBound(self, eventLoop: loop))
    }

    /// Adds a push to the order, which tells the push's path the result; returns an error if it can't be added.
    ///
    /// - Parameter revision: The changes of keys and clocks that the loop knew of when it was judged.
    func submit(
        _ push: IncomingPush, judged revision: UInt64, for path: some OrderedPath, taken: NIODeadline = .now()
    ) -> Order.Unavailable? {
        let place = insert(.push(push, path, taken: taken))
        guard let refusal = order.submit(.push(push, judged: revision), for: .push(place)) else { return nil }
        _ = remove(place.index)
        return refusal
    }

    /// Takes in that the delay of a withheld request is over.
    func release(_ ticket: PendingPush.Ticket, stream: Int32, for path: some OrderedPath) {
        let place = insert(.release(stream: stream, path))
        if order.submit(.release(ticket), for: .release(ticket, place)) != nil { _ = remove(place.index) }
    }

    private func insert(_ request: Request) -> Place {
        guard let index = vacant.popLast() else {
            requests.append(request)
            return Place(loop: loop, index: requests.count - 1)
        }
        requests[index] = request
        return Place(loop: loop, index: index)
    }

    private func remove(_ index: Int) -> Request {
        defer { vacant.append(index) }
        return exchange(&requests[index], with: .vacant)
    }

    /// Tells the paths of requests what came of them.
    fileprivate func deliver(_ outcomes: [(index: Int, outcome: ChangeOutcome)]) {
        var told: [any OrderedPath] = []
        for (index, outcome) in outcomes {
            let path: any OrderedPath
            switch remove(index) {
            case .vacant:
                assertionFailure("a place has two outcomes")
                continue
            case .push(let push, let asking, let taken):
                asking.decided(push, outcome, taken: taken)
                path = asking
            case .release(let stream, let asking):
                if case .released(let released) = outcome {
                    asking.released(released, stream: stream)
                } else {
                    assertionFailure("the outcome of a release is \(outcome)")
                }
                path = asking
            }
            if told.last !== path { told.append(path) }
        }
        for path in told { path.sendAnswers() }
    }
}

/// The outcomes of requests of several loops, each of which gets its own by one task.
struct RequestOutcomes {
    private let loops: [NIOLoopBound<OrderedRequests>]
    private var outcomes: [[(index: Int, outcome: ChangeOutcome)]]

    init(_ loops: [NIOLoopBound<OrderedRequests>]) {
        self.loops = loops
        outcomes = Array(repeating: [], count: loops.count)
    }

    mutating func add(_ outcome: ChangeOutcome, of place: OrderedRequests.Place) {
        outcomes[place.loop].append((place.index, outcome))
    }

    func send() {
        for (loop, outcomes) in zip(loops, outcomes) where !outcomes.isEmpty {
            loop.eventLoop.execute { loop.value.deliver(outcomes) }
        }
    }
}
