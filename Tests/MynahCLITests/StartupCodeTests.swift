import Testing

@testable import MynahCLI

@Suite("Code of the start")
struct StartupCodeTests {
    @Test("only code that comes from a file is unmapped")
    func ranges() {
        let maps = """
            55d0c0000000-55d0c0400000 r--p 00000000 fe:00 123                        /usr/bin/mynah
            55d0c0400000-55d0c0800000 r-xp 00400000 fe:00 123                        /usr/bin/mynah
            55d0c0800000-55d0c0900000 rw-p 00800000 fe:00 123                        /usr/bin/mynah
            7f0000000000-7f0000001000 r-xp 00000000 fe:00 124                        /opt/a folder/libc.so.6 (deleted)
            7f0000002000-7f0000003000 r-xp 00000000 00:00 0
            7ffd00000000-7ffd00001000 r-xp 00000000 00:00 0                          [vdso]
            ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
            """
        let expected: [Range<UInt>] = [
            0x55d0_c040_0000..<0x55d0_c080_0000, 0x7f00_0000_0000..<0x7f00_0000_1000,
        ]
        #expect(StartupCode.ranges(in: maps) == expected)
    }

    @Test("a process goes on after its code was unmapped")
    func goesOn() {
        StartupCode.unmap()
        #expect(StartupCode.ranges(in: "").isEmpty)
    }
}
