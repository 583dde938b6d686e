import MynahCore
import Testing

@Suite("What devices do with pushes, by scripts")
struct DeviceScriptTests {
    @Test("scripts exist and have unique names")
    func scriptsAreThere() throws {
        let scripts = try DeviceScript.all()
        #expect(scripts.count >= 60)
        let names = Dictionary(grouping: scripts, by: \.name).filter { $0.value.count > 1 }.keys
        #expect(names.isEmpty)
    }

    @Test(
        "a script's expectations hold, whether or not the devices are read in between",
        arguments: try DeviceScript.all())
    func scriptComesTrue(script: DeviceScript) throws {
        for asking in DeviceScript.Asking.allCases {
            do {
                try script.play(asking: asking)
            } catch {
                Issue.record("\(script), asked \(asking): \(error)")
            }
        }
    }
}
