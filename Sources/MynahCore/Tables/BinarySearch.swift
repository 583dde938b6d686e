extension RandomAccessCollection where Index == Int {
    /// The first index whose element meets a condition that all later elements meet as well, or `endIndex`.
    func firstIndexInOrder(where isMet: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if isMet(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
