import APNsRules
import ArgumentParser
import MynahClient

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes pushes from the journal, by id or by filters.",
        discussion: """
            An id is a push's sequence number, its apns-id or its apns-unique-id. Devices
            keep what they received.

              mynah remove 12 13
              mynah remove --topic com.example.app --outcome refused
              mynah remove --payload /aps/alert/body~=rain

            All pushes: mynah reset --only notifications
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @Argument(help: .parameter("id", of: "deleteNotification", "; repeatable")) var ids: [String] = []
    @Flag(help: "Print what was removed as JSON.") var json = false

    func validate() throws {
        try require(!ids.isEmpty || !filters.terms.isEmpty, "expected ids of pushes, or filters")
        try requireIDs(ids, of: "pushes")
        try require(
            ids.isEmpty || filters.terms.isEmpty, "ids of pushes and filters exclude each other: leave out one of them")
    }

    func run() async throws {
        let client = try server.client()
        var count = Int64(ids.count)
        for id in ids { try await client.deleteNotification(id) }
        if ids.isEmpty {
            let answer = try await client.documents.deleteNotifications(filters.items(and: nil))
            count = answer["removed"]?["notifications"]?.integer ?? 0
        }
        try Terminal.out(["removed": ["notifications": .number(JSONNumber(count))]], asJSON: json)
    }
}
