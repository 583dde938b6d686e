protocol SlabElement: Sendable {
    /// What a place holds after its element was removed.
    static var vacant: Self { get }
}

/// Elements at places that never move, in chunks, so growing never copies them; the place freed last is reused first.
struct Slab<Element: SlabElement>: Sendable {
    // In each of 64 shards half a chunk is unused, which at 70 bytes an element is a few hundred kilobytes in all.
    private static var chunkCount: Int { 128 }

    private var chunks: [[Element]] = []
    // The vacant places; the place that was freed last is the last.
    private(set) var vacantPlaces: [Int32] = []
    /// The highest place ever used, plus one.
    private(set) var end: Int32 = 0
    var count: Int { Int(end) - vacantPlaces.count }

    @inline(__always)
    subscript(place: Int32) -> Element {
        _read { yield chunks[Int(place) >> 7][Int(place) & 127] }
        _modify { yield &chunks[Int(place) >> 7][Int(place) & 127] }
    }

    var places: [Int32] {
        let vacant = Set(vacantPlaces)
        return (0..<end).filter { !vacant.contains($0) }
    }

    mutating func insert(_ element: consuming Element) -> Int32 {
        if let place = vacantPlaces.popLast() {
            self[place] = element
            return place
        }
        append(element)
        return end - 1
    }

    // Adds an element after all others.
    private mutating func append(_ element: consuming Element) {
        precondition(end < Int32.max, "a shard of devices is full")
        if Int(end) & (Self.chunkCount - 1) == 0 {
            var chunk: [Element] = []
            chunk.reserveCapacity(Self.chunkCount)
            chunks.append(chunk)
        }
        chunks[chunks.count - 1].append(element)
        end += 1
    }

    mutating func remove(_ place: Int32) {
        self[place] = .vacant
        vacantPlaces.append(place)
    }
}

// Elements are written by their owner, in the order of their places.
extension Slab {
    /// Adds an element that was read at the next place; `nil` for a vacant place.
    mutating func restore(_ element: consuming Element?) { append(element ?? .vacant) }

    /// Sets the vacant places in the order in which they are reused; throws if they differ from `isVacant`.
    mutating func restore(vacantPlaces: [Int32], where isVacant: (Element) -> Bool) throws(CodingProblem) {
        guard Set(vacantPlaces).count == vacantPlaces.count,
            vacantPlaces.count == (0..<end).count(where: { isVacant(self[$0]) }),
            vacantPlaces.allSatisfy({ (0..<end).contains($0) && isVacant(self[$0]) })
        else { throw CodingProblem("other places are vacant than those that are listed") }
        self.vacantPlaces = vacantPlaces
    }
}
