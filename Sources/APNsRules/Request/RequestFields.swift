/// Where each known field's first value is in a ``HeaderBlock``, found in one pass.
package struct RequestFields {
    private var places: InlineArray<18, Place>
    /// The first field that was sent twice although it must not be.
    package private(set) var repeated: FieldName?

    private struct Place {
        var start: Int32 = -1
        var count: Int32 = 0
    }

    package init(_ block: borrowing HeaderBlock) {
        places = InlineArray(repeating: Place())
        var offset = 0
        while let field = block.field(at: &offset) {
            guard field.name != .other else { continue }
            let index = Int(field.name.rawValue)
            if places[index].start < 0 {
                places[index] = Place(start: Int32(field.value.lowerBound), count: Int32(field.value.count))
            } else if field.name.mustNotRepeat, repeated == nil {
                repeated = field.name
            }
        }
    }

    /// The range of the first value of a field, or `nil` if it was not sent.
    package subscript(name: FieldName) -> Range<Int>? {
        let place = places[Int(name.rawValue)]
        guard place.start >= 0 else { return nil }
        return Int(place.start)..<Int(place.start + place.count)
    }
}
