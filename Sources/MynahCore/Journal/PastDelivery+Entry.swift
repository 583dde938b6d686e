internal import APNsRules

extension PastDelivery {
    /// A push that arrived, with what the journal still has of it.
    package init(_ item: InboxItem, _ entry: Entry?) {
        guard let entry, let token = entry.token else {
            self.init(item, Content?.none)
            return
        }
        let view = PushView(entry)
        self.init(
            item,
            Content(
                token: token, notificationID: entry.notificationID,
                pushType: view.givenPushType.flatMap { PushType(rawValue: $0) }, collapseID: view.collapseID,
                payload: view.payload))
    }
}
