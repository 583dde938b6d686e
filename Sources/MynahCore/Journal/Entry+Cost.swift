extension Entry {
    /// The cost of an entry apart from its bytes, in round figures: its slot in the ring (240), its keys in the indexes
    /// (16 to 42), and the header of the array of its bytes with malloc's own (48).
    package static let overheadBytes = 300

    package static let timelineEventBytes = 64

    /// The cost of a presentation apart from its texts.
    package static let presentationBytes = 500

    /// The bytes for which this entry counts in ``JournalBounds/bytesMax``.
    package var cost: Int {
        Entry.overheadBytes + bytes.count + (timeline?.count ?? 0) * Entry.timelineEventBytes + presentationCost
    }

    private var presentationCost: Int {
        guard let presentation = presentation.value else { return 0 }
        let texts = [presentation.title, presentation.subtitle, presentation.body, presentation.reason]
        return Entry.presentationBytes + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
