import APNsRules
import Mynah
import Testing

@testable import MynahTrust

@Suite("The order of a provider certificate")
struct CertificateOrderTests {
    @Test("an expired certificate of one day ended a day ago")
    func validity() throws {
        let now = Instant(seconds: 1_767_225_600)
        var order = CertificateOrder(topics: ["com.example.app"])
        order.days = 1
        let good = try order.request(now: now)
        #expect(good.notBefore < now)
        #expect(good.notAfter == now.advanced(by: .seconds(24 * 3600)))
        order.isExpired = true
        let expired = try order.request(now: now)
        #expect(expired.notAfter == now.advanced(by: .seconds(-24 * 3600)))
        #expect(expired.notBefore == now.advanced(by: .seconds(-48 * 3600)))
    }
}
