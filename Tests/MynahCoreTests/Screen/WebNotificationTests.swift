import APNsRules
import Testing

@testable import MynahCore

@Suite("Notifications of web apps on the screen")
struct WebNotificationTests {
    private let push = DeliveredPush(
        sequence: 1, notificationID: NotificationID(generated: 1), topic: "https://shop.example", collapseID: nil,
        deliveredAt: Instant(seconds: 10))

    private var notification: WebNotification {
        let text = """
            {"web_push": 8030, "app_badge": 3,
             "notification": {"title": "Sold out", "body": "The blue one", "navigate": "https://shop.example/7", "tag": "a"}}
            """
        return WebPushMessage(Array(text.utf8), origin: "https://shop.example").notification
    }

    @Test("it is shown with text, badge, sound and the address that a tap opens")
    func shown() {
        let presentation = Presentation(of: notification, push: push, app: AppPresentation())
        #expect(presentation.isShown)
        #expect(presentation.content.title == "Sold out")
        #expect(presentation.content.body == "The blue one")
        #expect(presentation.content.badge == 3)
        #expect(presentation.content.sound == .standard)
        #expect(presentation.content.details.first == JSONMember("navigate", "https://shop.example/7"))
        var centre = NotificationCentre()
        #expect(centre.receive(presentation, of: push) == .shown)
        #expect(centre.badges(at: push.deliveredAt) == ["https://shop.example": 3])
    }

    @Test("it is shown with its sound while the web app is open")
    func foreground() {
        var app = AppPresentation()
        app.appState = .foreground
        let presentation = Presentation(of: notification, push: push, app: app)
        #expect(presentation.place == .banner)
        #expect(presentation.content.sound == .standard)
    }

    @Test("permission, silence and Focus count as for apps")
    func withheld() throws {
        var denied = AppPresentation()
        denied.permissions.authorization = .denied
        #expect(!Presentation(of: notification, push: push, app: denied).isShown)
        var silent = notification
        silent.isSilent = true
        #expect(Presentation(of: silent, push: push, app: AppPresentation()).content.sound == nil)
    }

    @Test("the third push without a notification ends the subscriptions of its origin")
    func silentPushes() {
        var app = WebApp(applicationServerKey: [])
        for count in 1...4 {
            app.await(from: Instant(seconds: 0))
            app.endAwaited()
            #expect(app.silentPushCount == min(count, WebApp.silentPushesMax))
            #expect(app.hasLostSubscriptions == (count >= 3))
        }
    }

    @Test("a magic endpoint does what the magic token of its number does")
    func magicEndpoints() throws {
        for magic in MagicTokens.all {
            #expect(MagicTokens.magic(segment: magic.segment) == magic)
            #expect(magic.segment.count == WebPushLimits.segmentCharacters)
            #expect(magic.segment.hasSuffix(magic.token.hex.suffix(16)))
        }
        #expect(Set(MagicTokens.all.map(\.segment)).count == MagicTokens.all.count)
        #expect(MagicTokens.magic(segment: "Qbadc0ffee0ddf00d") == nil)
    }
}
