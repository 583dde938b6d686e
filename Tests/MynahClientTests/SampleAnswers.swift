/// Answers of the control API, as the examples of its OpenAPI document have them.
enum SampleAnswers {
    /// What `GET /v1/status` answers.
    static let status = #"""
        {"name": "mynah", "version": "0.1.0", "startedAt": "2030-01-01T09:30:00.000Z",
        "now": "2030-01-01T09:30:00.000Z", "clock": "real", "seed": 0, "ports": {"apns": [2197],
        "channels": [2195, 2196], "webPush": 2198, "cleartext": null, "proxy": null, "control": null},
        "environment": "sandbox", "counts": {"received": 0, "accepted": 0, "refused": 0, "devices": 0,
        "stored": 0, "deferred": 0, "faults": 0, "faultsFired": 0, "scopes": 0, "connections": 0,
        "handshakesFailed": 0, "connectionsRefused": 0}, "journal": {}, "memory": {"resident": null},
        "recorded": null}
        """#

    /// What `GET /v1/devices/{id}` answers.
    static let device = #"""
        {"id": "kims-phone", "scope": null, "user": "kim", "name": "Kim's iPhone", "model": "iPhone 17",
        "platform": "iOS", "osVersion": "26.1", "environment": "sandbox", "locale": "en-GB", "online": false,
        "power": "normal", "focus": null, "languages": [], "locked": false, "muted": false, "watch": null,
        "summary": null, "registrations": [{"topic": "com.example.app", "kind": "app",
        "token": "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0",
        "applicationServerKey": null, "webPush": null, "environment": "sandbox", "state": "active",
        "since": "2030-01-01T09:30:00.000Z", "endedAt": null, "unregisteredAt": null,
        "backgroundRefresh": false, "worker": "shows", "appState": "foreground",
        "permissions": {"authorization": "authorized", "alert": false, "badge": false, "sound": false,
        "critical": false, "timeSensitive": false, "location": false, "lockScreen": false,
        "notificationCenter": false, "liveActivities": false, "frequentPushes": false, "alertStyle": "none",
        "showPreviews": "always"}, "presentInForeground": ["banner"], "appName": null, "sounds": [],
        "categories": [], "strings": {}, "developmentLanguage": "en", "serviceExtension": null,
        "focusFilter": null, "reportsCalls": false, "frequentUpdates": false, "backgroundFetch": {},
        "backgroundModes": [""]}], "activities": [], "stored": 0, "deferred": 0, "inbox": {"count": 0,
        "dropped": 0, "last": null}}
        """#

    /// What `GET /v1/notifications/{id}` answers.
    static let notification = #"""
        {"sequence": 4711, "apnsId": "27CFDC15-E305-27E0-E290-8FC98E115899", "kind": "push", "attempt": 1,
        "repeats": null, "uniqueId": "4084a6e4-9ea8-6d2a-ca49-9a344a152da7",
        "receivedAt": "2030-01-01T09:30:00.000Z", "environment": "sandbox", "connection": 12, "stream": 1,
        "credential": {"kind": "token", "team": "TEAM123456", "keyId": "ABC123DEFG", "subject": null},
        "token": "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0", "device": "kims-phone",
        "scope": null, "topic": "com.example.app", "channel": null, "devices": null, "pushType": "alert",
        "priority": null, "expiration": null, "collapseId": null, "method": null, "path": null,
        "headers": [["apns-topic", "com.example.app"]], "payload": {"aps": {"alert": "hi"}}, "payloadSize": 22,
        "warnings": [], "status": 200, "reason": null, "timestamp": null, "fault": null, "outcome": "delivered",
        "shown": false, "sounded": false, "timeline": [{"at": "2030-01-01T09:30:00.000Z", "event": "received",
        "detail": null}]}
        """#

    /// What `GET /v1/faults/{id}` answers.
    static let fault = #"""
        {"id": "f-1", "name": null, "scope": null, "enabled": false, "rulePriority": -1000000,
        "match": {"topic": "com.example.app"}, "skip": 0, "times": null, "every": 1, "probability": 1,
        "connections": null, "keys": null, "rateOver": null, "activeFrom": null, "activeUntil": null,
        "action": {"type": "respond", "status": 503, "reason": "ServiceUnavailable"}, "actions": null,
        "then": "pass", "matched": 1, "fired": 0, "remaining": null, "createdAt": "2030-01-01T09:30:00.000Z",
        "words": {"does": ["answers 410 Unregistered"], "matches": [""], "fires": [""]}}
        """#
}
