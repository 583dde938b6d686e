import APNsRules
import ArgumentParser
import Mynah
import Testing

@testable import MynahCLI

@Suite("mynah certs")
struct CertsCommandTests {
    static let commands: [any ParsableCommand.Type] = [
        CertsProviderCommand.self, CertsListCommand.self, CertsRevokeCommand.self,
    ]

    @Test("the help matches its snapshot and has an example", arguments: commands.indices)
    func help(_ index: Int) throws {
        let command = Self.commands[index]
        let name = command.configuration.commandName ?? ""
        try Snapshot.expect(MynahCommand.helpMessage(for: command, columns: 80), is: "help-certs-\(name)")
        let discussion = command.configuration.discussion
        #expect(discussion.split(separator: "\n").allSatisfy { $0.count < 80 })
        #expect(discussion.contains("  mynah certs \(name)"))
    }

    @Test(
        "a serial number is accepted in the formats that tools print",
        arguments: [
            ("00ff", "00FF"), ("00:FF:1a", "00FF1A"), ("0x00ff", "00FF"), ("", nil), ("0x", nil), ("12g", nil),
            ("a.pem", nil),
        ] as [(String, String?)])
    func serialNumber(text: String, expected: String?) {
        #expect(CertificateRecord.serialNumber(text) == expected)
    }

    @Test(
        "the three files are in the folder and share a name",
        arguments: [
            (".", "app.pem"), ("made", "made/app.pem"), ("made/", "made/app.pem"), ("/", "/app.pem"),
            ("/a b//", "/a b/app.pem"),
        ])
    func files(folder: String, certificate: String) {
        let files = ProviderFiles(folder: folder, name: "app")
        #expect(files.certificate == certificate)
        #expect(files.key == certificate.dropLast(4) + "-key.pem")
        #expect(files.pkcs12 == certificate.dropLast(4) + ".p12")
    }

    @Test("a column is as wide as its cells, and no line ends with spaces")
    func table() {
        let table = TextTable.text(["A", "STATE", "C"], [["long one", "good", "x"], ["b", "", ""]])
        #expect(table == "A         STATE  C\nlong one  good   x\nb")
    }
}
