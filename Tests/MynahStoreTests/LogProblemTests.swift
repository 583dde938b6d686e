import MynahStore
import Testing

@Suite("Problems of a log")
struct LogProblemTests {
    @Test("a problem names the file, what is wrong and what helps")
    func problemNamesTheFileWhatIsWrongAndWhatHelps() {
        let problem = LogProblem(.full, file: "/data/run.mynah", "the disk is full", remedy: "Make room on it")
        #expect(problem.description == "/data/run.mynah: the disk is full. Make room on it.")
        #expect(LogProblem(.damaged, file: "a", "row 3 is damaged").description == "a: row 3 is damaged.")
    }
}
