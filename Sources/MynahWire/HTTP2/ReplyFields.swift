internal import APNsRules
internal import CNghttp2

/// A reply's fields in nghttp2's form: `:status`, `apns-id`, then the others (`ProviderAPI#Responses`).
enum ReplyFields {
    /// The names of ids that a connection's replies have had.
    struct Names {
        fileprivate var hasID = false
        fileprivate var hasUniqueID = false
    }

    /// Lends the list of a reply's fields to `body`; nghttp2 copies all but static strings.
    static func withList(
        of reply: borrowing Reply, _ names: inout Names, _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Void
    ) {
        if let fields = reply.fields {
            return ([HTTPField(":status", String(reply.status))] + fields).withNameValues(body)
        }
        withUnsafeTemporaryAllocation(byteCount: 2 * NotificationID.textCount, alignment: 1) { memory in
            withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: 4) { list in
                list[0] = field(":status", text(ofStatus: reply.status))
                list[1] = field("apns-id", reply.notificationID, in: memory, at: 0, isIndexed: !names.hasID)
                names.hasID = true
                var count = 2
                if let uniqueID = reply.uniqueID {
                    list[count] = field(
                        "apns-unique-id", uniqueID, in: memory, at: NotificationID.textCount,
                        isIndexed: !names.hasUniqueID)
                    names.hasUniqueID = true
                    count += 1
                }
                if reply.sendsContentType {
                    list[count] = field("content-type", "application/json")
                    count += 1
                }
                body(UnsafeBufferPointer(rebasing: list[..<count]))
            }
        }
    }

    /// A field with an id, whose characters go to a place of `memory`.
    ///
    /// Ids don't repeat: indexing them would only push useful entries out of the peer's table. But the first id is
    /// indexed, so that later fields of its name can refer to it.
    private static func field(
        _ name: StaticString, _ id: NotificationID, in memory: UnsafeMutableRawBufferPointer, at place: Int,
        isIndexed: Bool
    ) -> nghttp2_nv {
        let words = id.characterWords
        for index in words.indices {
            memory.storeBytes(
                of: words[index].bigEndian, toByteOffset: place + NotificationID.wordPlaces[index], as: UInt64.self)
        }
        let value = UnsafeRawBufferPointer(rebasing: memory[place..<place + NotificationID.textCount])
        return field(
            name, value.assumingMemoryBound(to: UInt8.self),
            flags: isIndexed ? NGHTTP2_NV_FLAG_NONE : NGHTTP2_NV_FLAG_NO_INDEX)
    }

    /// A field with a static value.
    static func field(_ name: StaticString, _ value: StaticString) -> nghttp2_nv {
        field(
            name, UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount),
            flags: NGHTTP2_NV_FLAG_NO_COPY_VALUE)
    }

    private static func field(
        _ name: StaticString, _ value: UnsafeBufferPointer<UInt8>, flags: nghttp2_nv_flag
    ) -> nghttp2_nv {
        nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start),
            value: UnsafeMutablePointer(mutating: value.baseAddress), namelen: name.utf8CodeUnitCount,
            valuelen: value.count, flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | flags.rawValue))
    }

    private static func text(ofStatus status: Int) -> StaticString {
        switch status {
        case 200: "200"
        case 201: "201"
        case 400: "400"
        case 403: "403"
        case 404: "404"
        case 405: "405"
        case 410: "410"
        case 413: "413"
        case 429: "429"
        case 500: "500"
        case 503: "503"
        default: preconditionFailure("Apple never answers \(status)")
        }
    }
}

extension [HTTPField] {
    /// Lends the list in nghttp2's form to `body`; nghttp2 copies all of it.
    func withNameValues<Result>(_ body: (UnsafeBufferPointer<nghttp2_nv>) -> Result) -> Result {
        // A single block of bytes, which isn't moved while nghttp2 copies from it.
        var text: [UInt8] = []
        for field in self {
            text.append(contentsOf: field.name.utf8)
            text.append(contentsOf: field.value.utf8)
        }
        return text.withUnsafeMutableBufferPointer { text in
            withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: count) { list in
                var offset = 0
                for (index, field) in enumerated() {
                    let nameCount = field.name.utf8.count
                    let valueCount = field.value.utf8.count
                    let flag = field.name == "apns-id" ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
                    list[index] = nghttp2_nv(
                        name: text.baseAddress.map { $0 + offset },
                        value: text.baseAddress.map { $0 + offset + nameCount },
                        namelen: nameCount, valuelen: valueCount, flags: UInt8(flag.rawValue))
                    offset += nameCount + valueCount
                }
                return body(UnsafeBufferPointer(list))
            }
        }
    }
}
