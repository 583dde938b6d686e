import CSQLite
import Foundation

/// A disk under SQLite that keeps every step made on it, so that a test can ask what is left after a crash at any of
/// them, and can let any step fail.
final class MemoryDisk {
    enum Step: Equatable {
        case write(String, offset: Int, bytes: [UInt8])
        case truncate(String, size: Int)
        case sync(String)
        /// The system could not synchronise: what was written since the last time may never reach the disk.
        case failedSync(String)
        case delete(String)
    }

    /// What a crash takes away of what has not been synchronised.
    enum Crash {
        /// Nothing: the process has ended, the machine has not.
        case process
        /// Any sectors of it.
        case power(SeededNumbers)
    }

    /// By path.
    private(set) var files: [String: [UInt8]]
    private(set) var steps: [Step] = []
    /// Asked before each step: an error of SQLite, or `SQLITE_OK`.
    var failure: (Step) -> Int32 = { _ in SQLITE_OK }

    /// What SQLite knows the disk by.
    let name = "mynah-test-\(UUID().uuidString)"
    private let initial: [String: [UInt8]]
    private let layer: UnsafeMutablePointer<sqlite3_vfs>
    private let cName: UnsafeMutablePointer<CChar>

    init(_ files: [String: [UInt8]] = [:]) {
        self.files = files
        initial = files
        cName = strdup(name)
        layer = .allocate(capacity: 1)
        layer.initialize(to: sqlite3_vfs())
        layer.pointee.iVersion = 1
        layer.pointee.szOsFile = Int32(MemoryLayout<DiskFile>.size)
        layer.pointee.mxPathname = 1024
        layer.pointee.zName = UnsafePointer(cName)
        layer.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        MemoryDisk.fill(&layer.pointee)
        sqlite3_vfs_register(layer, 0)
    }

    deinit {
        sqlite3_vfs_unregister(layer)
        layer.deallocate()
        methods.deallocate()
        free(cName)
    }

    /// The files that a crash leaves after so many steps.
    func files(after count: Int, _ crash: Crash) -> [String: [UInt8]] {
        var left = initial
        var numbers: SeededNumbers? = if case .power(let numbers) = crash { numbers } else { nil }
        let isCertain = certainty(count)
        for (index, step) in steps[..<count].enumerated() {
            switch step {
            case .write(let file, let offset, let bytes) where isCertain[index] || numbers == nil:
                MemoryDisk.write(bytes[...], at: offset, to: &left[file, default: []])
            case .write(let file, let offset, let bytes):
                for start in stride(from: 0, to: bytes.count, by: MemoryDisk.sectorBytes) {
                    if numbers?.next(below: 2) == 0 { continue }
                    let part = bytes[start..<min(start + MemoryDisk.sectorBytes, bytes.count)]
                    MemoryDisk.write(part, at: offset + start, to: &left[file, default: []])
                }
            case .truncate(let file, let size):
                if !isCertain[index], numbers?.next(below: 2) == 0 { continue }
                MemoryDisk.resize(&left[file, default: []], to: size)
            case .delete(let file): left[file] = nil
            case .sync, .failedSync: break
            }
        }
        return left
    }

    /// Which of the first steps have been synchronised.
    private func certainty(_ count: Int) -> [Bool] {
        var isCertain = [Bool](repeating: false, count: count)
        var open: [String: [Int]] = [:]
        for (index, step) in steps[..<count].enumerated() {
            switch step {
            case .write(let file, _, _), .truncate(let file, _): open[file, default: []].append(index)
            case .sync(let file):
                for index in open[file] ?? [] { isCertain[index] = true }
                open[file] = nil
            case .failedSync(let file), .delete(let file): open[file] = nil
            }
        }
        return isCertain
    }

    private static let sectorBytes = 512
    /// SQLITE_IOERR_SHORT_READ, a macro that Swift doesn't import.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    private static func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to file: inout [UInt8]) {
        if file.count < offset + bytes.count { resize(&file, to: offset + bytes.count) }
        file.withUnsafeMutableBytes { file in
            bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: file[offset...]).copyMemory(from: $0) }
        }
    }

    private static func resize(_ file: inout [UInt8], to size: Int) {
        if file.count > size { file.removeLast(file.count - size) }
        // An unoptimised build takes long to append a collection of another type, or to replace a range.
        file += [UInt8](repeating: 0, count: size - file.count)
    }

    private func take(_ step: Step) -> Int32 {
        let code = failure(step)
        guard code == SQLITE_OK else {
            if case .sync(let file) = step { steps.append(.failedSync(file)) }
            return code
        }
        steps.append(step)
        switch step {
        case .write(let file, let offset, let bytes):
            MemoryDisk.write(bytes[...], at: offset, to: &files[file, default: []])
        case .truncate(let file, let size): MemoryDisk.resize(&files[file, default: []], to: size)
        case .delete(let file): files[file] = nil
        case .sync, .failedSync: break
        }
        return SQLITE_OK
    }

    // MARK: What SQLite calls

    /// What SQLite keeps of an open file; its own part comes first.
    private struct DiskFile {
        var base: sqlite3_file
        var opened: Unmanaged<Opened>
    }

    private final class Opened {
        let disk: MemoryDisk
        let path: String
        init(_ disk: MemoryDisk, _ path: String) {
            self.disk = disk
            self.path = path
        }
    }

    private static func file(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<DiskFile> {
        UnsafeMutableRawPointer(given(file)).assumingMemoryBound(to: DiskFile.self)
    }

    private static func opened(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Opened {
        MemoryDisk.file(file).pointee.opened.takeUnretainedValue()
    }

    private static func disk(_ layer: UnsafeMutablePointer<sqlite3_vfs>?) -> MemoryDisk {
        Unmanaged<MemoryDisk>.fromOpaque(given(layer).pointee.pAppData).takeUnretainedValue()
    }

    private static func text(_ path: UnsafePointer<CChar>?) -> String { path.map { String(cString: $0) } ?? "" }

    /// A pointer that SQLite always gives.
    private static func given<Pointer>(_ pointer: Pointer?) -> Pointer {
        guard let pointer else { preconditionFailure("SQLite gave no pointer") }
        return pointer
    }

    private let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 1
        methods.pointee.xClose = { file in
            MemoryDisk.file(file).pointee.opened.release()
            return SQLITE_OK
        }
        methods.pointee.xRead = { file, buffer, count, offset in
            let opened = MemoryDisk.opened(file)
            let bytes = (opened.disk.files[opened.path] ?? []).dropFirst(Int(offset)).prefix(Int(count))
            let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
            buffer.copyBytes(from: bytes)
            for place in bytes.count..<buffer.count { buffer[place] = 0 }
            return bytes.count == buffer.count ? SQLITE_OK : MemoryDisk.shortRead
        }
        methods.pointee.xWrite = { file, buffer, count, offset in
            let opened = MemoryDisk.opened(file)
            let bytes = Array(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
            return opened.disk.take(.write(opened.path, offset: Int(offset), bytes: bytes))
        }
        methods.pointee.xTruncate = { file, size in
            let opened = MemoryDisk.opened(file)
            return opened.disk.take(.truncate(opened.path, size: Int(size)))
        }
        methods.pointee.xSync = { file, _ in
            let opened = MemoryDisk.opened(file)
            return opened.disk.take(.sync(opened.path))
        }
        methods.pointee.xFileSize = { file, size in
            let opened = MemoryDisk.opened(file)
            size?.pointee = sqlite3_int64(opened.disk.files[opened.path]?.count ?? 0)
            return SQLITE_OK
        }
        methods.pointee.xLock = { _, _ in SQLITE_OK }
        methods.pointee.xUnlock = { _, _ in SQLITE_OK }
        methods.pointee.xCheckReservedLock = { _, isReserved in
            isReserved?.pointee = 0
            return SQLITE_OK
        }
        methods.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.pointee.xSectorSize = { _ in Int32(MemoryDisk.sectorBytes) }
        // As of every disk that SQLite's layer for Unix opens: a write leaves what lies beside it alone.
        methods.pointee.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
        return methods
    }()

    private static func fill(_ layer: inout sqlite3_vfs) {
        layer.xOpen = { layer, path, file, flags, outFlags in
            let disk = MemoryDisk.disk(layer)
            let path = path.map { String(cString: $0) } ?? "temporary-\(UUID().uuidString)"
            guard disk.files[path] != nil || flags & SQLITE_OPEN_CREATE != 0 || !path.hasSuffix("-wal") else {
                return SQLITE_CANTOPEN
            }
            disk.files[path] = disk.files[path] ?? []
            MemoryDisk.file(file).initialize(
                to: DiskFile(
                    base: sqlite3_file(pMethods: UnsafePointer(disk.methods)),
                    opened: .passRetained(Opened(disk, path))))
            outFlags?.pointee = flags
            return SQLITE_OK
        }
        layer.xDelete = { layer, path, _ in MemoryDisk.disk(layer).take(.delete(MemoryDisk.text(path))) }
        layer.xAccess = { layer, path, _, isThere in
            isThere?.pointee = MemoryDisk.disk(layer).files[MemoryDisk.text(path)] == nil ? 0 : 1
            return SQLITE_OK
        }
        layer.xFullPathname = { _, path, count, buffer in
            guard let path, let buffer, strlen(path) < Int(count) else { return SQLITE_CANTOPEN }
            strcpy(buffer, path)
            return SQLITE_OK
        }
        layer.xRandomness = { _, count, buffer in
            var numbers = SeededNumbers(seed: 1)
            for place in 0..<Int(count) { buffer?[place] = CChar(truncatingIfNeeded: numbers.next(below: 256)) }
            return count
        }
        layer.xSleep = { _, microseconds in microseconds }
        layer.xCurrentTime = { _, day in
            day?.pointee = 2_461_000
            return SQLITE_OK
        }
        layer.xGetLastError = { _, _, _ in 0 }
    }
}

/// Numbers that a seed determines.
struct SeededNumbers {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

    /// SplitMix64.
    mutating func next(below bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ mixed >> 31) % UInt64(bound))
    }

    /// Bytes that nothing else has.
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(next(below: 256)) } }
}
