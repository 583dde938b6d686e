import APNsRules
import MynahCore
import Testing

@Suite("The values of the keys that were used last")
struct RecentValuesTests {
    @Test("no more values are kept than may be", arguments: [2, 3, 10, 1000])
    func bound(countMax: Int) {
        var values = RecentValues<Int, Int>(countMax: countMax)
        for number in 0..<5 * countMax {
            values.change(number, orNew: number) { _ in }
            #expect(values.count <= countMax)
            #expect(values[number] == number)
        }
    }

    @Test("a value stays while its key is among those that were used last, after any order of uses")
    func order() {
        var random = SeededGenerator(seed: 1)
        var values = RecentValues<Int, Int>(countMax: 6)
        var lastUsed: [(key: Int, value: Int)] = []
        for value in 0..<1000 {
            let key = Int.random(in: 0..<9, using: &random)
            if Int.random(in: 0..<20, using: &random) == 0 {
                values.remove(key)
                #expect(values[key] == nil)
                lastUsed.removeAll { $0.key == key }
                continue
            }
            values.change(key, orNew: value) { $0 = value }
            lastUsed.removeAll { $0.key == key }
            lastUsed = (lastUsed + [(key, value)]).suffix(3)
            for known in lastUsed { #expect(values[known.key] == known.value) }
        }
    }
}
