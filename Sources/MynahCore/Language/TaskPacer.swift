/// Keeps a loop over many pushes from occupying its thread: other tasks run in between, and a cancelled task stops.
package struct TaskPacer {
    /// Pushes between two pauses; judging one takes microseconds, or with many patterns milliseconds.
    private static let stepsMax = 16
    private var stepCount = 0
    package init() {}

    /// Ends one pass of the loop, and lets other tasks run now and then.
    package mutating func step() async throws(CancellationError) {
        stepCount += 1
        if stepCount == TaskPacer.stepsMax {
            stepCount = 0
            await Task.yield()
        }
        if Task.isCancelled { throw CancellationError() }
    }

    static func filter<Element>(
        _ elements: some Sequence<Element>, _ isIncluded: (Element) -> Bool
    ) async throws(CancellationError) -> [Element] {
        var pacer = TaskPacer()
        var included: [Element] = []
        for element in elements {
            if isIncluded(element) { included.append(element) }
            try await pacer.step()
        }
        return included
    }
}
