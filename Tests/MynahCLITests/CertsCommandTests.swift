import APNsRules
import ArgumentParser
import Mynah
import Testing

@testable import MynahCLI

@Suite("mynah certs")
struct CertsCommandTests {
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
        let files = ProviderFiles(folder: folder, name: "app", hasKey: true)
        #expect(files.certificate == certificate)
        #expect(ProviderFiles(folder: folder, name: "app", hasKey: false).key == nil)
        #expect(files.key == certificate.dropLast(4) + "-key.pem")
        #expect(files.pkcs12 == certificate.dropLast(4) + ".p12")
    }

    @Test("a column is as wide as its cells, and no line ends with spaces")
    func table() {
        let table = TextTable.text(["A", "STATE", "C"], [["long one", "good", "x"], ["b", "", ""]])
        #expect(table == "A         STATE  C\nlong one  good   x\nb")
    }
}
