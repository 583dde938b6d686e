extension Entry {
    /// What an entry costs beside its bytes: its slot in the ring (240), its keys in the indexes (16 to 42), and
    /// the header of the array that holds its bytes with malloc's own (48), in round figures.
    package static let overheadBytes = 300

    /// What one step of a timeline costs.
    package static let timelineEventBytes = 64

    /// What is remembered of a presentation costs beside its texts, which are those of the payload or shorter.
    package static let presentationBytes = 500

    /// The bytes that this entry counts for in the journal's bound.
    package var cost: Int {
        Entry.overheadBytes + bytes.count + (timeline?.count ?? 0) * Entry.timelineEventBytes + presentationCost
    }

    private var presentationCost: Int {
        guard let presentation = presentation.value else { return 0 }
        let texts = [presentation.title, presentation.subtitle, presentation.body, presentation.reason]
        return Entry.presentationBytes + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
