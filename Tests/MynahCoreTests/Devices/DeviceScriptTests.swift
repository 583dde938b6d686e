import MynahCore
import Testing

@Suite("What devices do with pushes")
struct DeviceScriptTests {
    @Test("the scripts are there, each with a name of its own")
    func scriptsAreThere() throws {
        let scripts = try DeviceScript.all()
        #expect(scripts.count >= 60)
        let names = Dictionary(grouping: scripts, by: \.name).filter { $0.value.count > 1 }.keys
        #expect(names.isEmpty)
    }

    @Test("a script comes true, whether or not somebody asks in between", arguments: try DeviceScript.all())
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
