import APNsRules
import MynahCore
import Testing

@testable import Mynah

@Suite("Actions of faults in Swift")
struct FaultActionNameTests {
    /// The actions that have a name in Swift, by their types; `nil` for those that are given as documents.
    private static func actions(of type: FaultActionType) -> [Fault.Action]? {
        switch type {
        case .pass: [.pass, .pass(delay: .fixed(.seconds(1)))]
        case .respond: [.respond(.badDeviceToken), .respond(status: 502, body: "busy")]
        case .stall: [.stall, .stallAndDeliver]
        case .lose: [.lose]
        case .deliverLate: [.deliverLate(by: .seconds(1))]
        case .duplicate: [.duplicate()]
        case .resetStream: [.resetStream()]
        case .goaway: [.goAway()]
        case .tls: [.certificate(.expired), .alert(.unknownCA)]
        case .close: [.close()]
        case .throttle: [.throttle(bytesPerSecond: 10)]
        case .refuse: [.refuseConnections]
        case .settings, .withholdWindow, .ignorePing, .truncate, .malformedFrame, .oversizedFrame: nil
        }
    }

    @Test("each is of the type that the API names", arguments: FaultActionType.allCases)
    func types(type: FaultActionType) {
        for action in Self.actions(of: type) ?? [] {
            #expect(action.document["type"] == .string(type.rawValue))
        }
    }
}
