# frozen_string_literal: true

# Made by Sources/helpers/generate.py: change that, or what the program says.
module Mynah
  # The words that calls know when they run.
  module Words
    # The names that calls of one request take, by class and method.
    KNOWN = {
      scope: {
        add_devices: %w[
          id user name model platform osVersion environment locale power focus languages locked muted watch summary
          registrations activities
        ].freeze,
        put_device: %w[
          id user name model platform osVersion environment locale power focus languages locked muted watch summary
          registrations activities
        ].freeze,
        devices: %w[
          scope sort after order limit cursor device fleet topic token environment named user platform online power
        ].freeze,
        change_devices: %w[
          scope user name osVersion locale online power focus languages locked muted watch summary
        ].freeze,
        remove_devices: %w[scope device fleet topic token environment named user platform online power].freeze,
        start_activities: %w[user environment attributes contentState staleDate relevanceScore pushType].freeze,
        dismiss_activities: %w[user channel].freeze,
        faults: %w[scope order limit cursor fault name enabled fired event action].freeze,
        remove_faults: %w[scope fault name enabled fired event action].freeze,
        send: %w[
          token channel topic pushType priority expiration collapseId apnsId payload payloadBase64 environment timeout
        ].freeze,
        notifications: %w[
          scope q wait count after order limit cursor token device topic channel team keyId apnsId uniqueId collapseId
          pushType priority environment connection kind status reason outcome shown sounded fault has since until text
          payload screen webPush
        ].freeze,
        remove_notifications: %w[
          scope q token device topic channel team keyId apnsId uniqueId collapseId pushType priority environment
          connection kind status reason outcome shown sounded fault has since until text payload screen webPush
        ].freeze,
        events: %w[
          scope q event after token device topic channel team keyId apnsId uniqueId collapseId pushType priority
          environment connection kind status reason outcome shown sounded fault has since until text payload screen
          webPush
        ].freeze,
      }.freeze,
      server: {
        fixtures: %w[scope].freeze,
        reset: %w[only scope].freeze,
        scopes: %w[order limit cursor].freeze,
        fleets: %w[order limit cursor].freeze,
        create_channel: %w[id environment messageStoragePolicy].freeze,
        keys: %w[order limit cursor].freeze,
        add_key: %w[keyId team publicKey privateKey environment topics related revokedAt].freeze,
        put_key: %w[keyId team publicKey privateKey environment topics related revokedAt].freeze,
        certificates: %w[order limit cursor].freeze,
        issue_certificate: %w[voip complication environment days expired keyType password csr].freeze,
        connections: %w[wait count order limit cursor environment team keyId connection].freeze,
        close_connection: %w[abort].freeze,
        failed_handshakes: %w[order limit cursor].freeze,
        closed_connections: %w[order limit cursor].freeze,
        scenarios: %w[shipped scope order limit cursor].freeze,
        scenario: %w[scope].freeze,
        remove_scenario: %w[scope].freeze,
        remove_scenarios: %w[scope].freeze,
        magic_tokens: %w[order limit cursor].freeze,
      }.freeze,
      device: {
        change: %w[
          user name osVersion locale online power focus languages locked muted watch summary
        ].freeze,
        events: %w[connect after].freeze,
        app: %w[environment].freeze,
        install: %w[
          kind applicationServerKey environment token launched entitled rotate backgroundRefresh worker appState
          permissions presentInForeground appName sounds categories strings developmentLanguage serviceExtension
          focusFilter reportsCalls frequentUpdates backgroundFetch backgroundModes state since endedAt webPush
          unregisteredAt
        ].freeze,
        change_app: %w[
          environment backgroundRefresh worker appState permissions presentInForeground appName sounds categories
          strings developmentLanguage serviceExtension focusFilter reportsCalls frequentUpdates backgroundFetch
          backgroundModes
        ].freeze,
        uninstall: %w[environment].freeze,
        inbox: %w[
          q kind wait count after order limit cursor token device topic channel team keyId apnsId uniqueId collapseId
          pushType priority environment connection status reason outcome shown sounded fault has since until text
          payload screen webPush
        ].freeze,
        start_activity: %w[environment attributes contentState staleDate relevanceScore pushType].freeze,
        update_activity: %w[contentState staleDate relevanceScore dismissalDate].freeze,
        end_activity: %w[contentState staleDate relevanceScore dismissalDate].freeze,
        subscribe: %w[
          topic environment attributesType attributes contentState staleDate relevanceScore
        ].freeze,
      }.freeze,
      fault: {
        change: %w[
          name scope enabled rulePriority match skip times every probability connections keys rateOver activeFrom
          activeUntil action actions then
        ].freeze,
      }.freeze,
      clock: {}.freeze,
    }.freeze

    # The names of sets of arguments.
    SETS = {
      device_settings: %w[
        id user name model platform osVersion environment locale power focus languages locked muted watch summary
        registrations activities
      ].freeze,
      device_changes: %w[
        user name osVersion locale online power focus languages locked muted watch summary
      ].freeze,
      app_settings: %w[
        kind applicationServerKey environment token launched entitled rotate backgroundRefresh worker appState
        permissions presentInForeground appName sounds categories strings developmentLanguage serviceExtension
        focusFilter reportsCalls frequentUpdates backgroundFetch backgroundModes state since endedAt webPush
        unregisteredAt
      ].freeze,
      app_changes: %w[
        backgroundRefresh worker appState permissions presentInForeground appName sounds categories strings
        developmentLanguage serviceExtension focusFilter reportsCalls frequentUpdates backgroundFetch backgroundModes
      ].freeze,
      activity_settings: %w[environment attributes contentState staleDate relevanceScore pushType].freeze,
      activity_changes: %w[contentState staleDate relevanceScore dismissalDate].freeze,
      subscription_settings: %w[
        topic environment attributesType attributes contentState staleDate relevanceScore
      ].freeze,
      channel_settings: %w[id environment messageStoragePolicy].freeze,
      key_settings: %w[keyId team publicKey privateKey environment topics related revokedAt].freeze,
      certificate_settings: %w[voip complication environment days expired keyType password csr].freeze,
      push_settings: %w[
        token channel topic pushType priority expiration collapseId apnsId payload payloadBase64 environment timeout
      ].freeze,
      fault_settings: %w[
        id name enabled rulePriority skip times every probability connections keys rateOver activeFrom activeUntil then
      ].freeze,
      fault_changes: %w[
        name scope enabled rulePriority match skip times every probability connections keys rateOver activeFrom
        activeUntil action actions then
      ].freeze,
      fault_options: %w[
        delay clock reason timestamp body answerHeaders deliver by code when debug lastStreamId twoStep frames close
        afterPushes maxConcurrentStreams initialWindowSize headerTableSize maxFrameSize withhold alert certificate stall
        slow how afterBytes afterIdle bytesPerSecond chunk
      ].freeze,
      reset_settings: %w[only scope].freeze,
      fault_filters: %w[
        token device topic channel team keyId apnsId collapseId pushType priority environment connection kind text
        payload payloadIncludes headers event
      ].freeze,
      filters: %w[
        token device topic channel team keyId apnsId uniqueId collapseId pushType priority environment connection kind
        status reason outcome shown sounded fault has since until text payload payloadIncludes headers screen webPush q
      ].freeze,
    }.freeze

    # Members with JSON of the caller's own, whose names stay as they are.
    FREE = %w[
      answerHeaders attributes contentState deferred focusFilter headers inbox payload payloadIncludes screen stored
      strings webPush
    ].freeze

    # The actions of the presets of faults.
    PRESETS = {
      "400" => { "type" => "respond", "status" => 400, "reason" => "BadDeviceToken" }.freeze,
      "403" => { "type" => "respond", "status" => 403, "reason" => "InvalidProviderToken" }.freeze,
      "404" => { "type" => "respond", "status" => 404, "reason" => "BadPath" }.freeze,
      "405" => { "type" => "respond", "status" => 405, "reason" => "MethodNotAllowed" }.freeze,
      "410" => { "type" => "respond", "status" => 410, "reason" => "Unregistered" }.freeze,
      "413" => { "type" => "respond", "status" => 413, "reason" => "PayloadTooLarge" }.freeze,
      "429" => { "type" => "respond", "status" => 429, "reason" => "TooManyRequests" }.freeze,
      "500" => { "type" => "respond", "status" => 500, "reason" => "InternalServerError" }.freeze,
      "503" => { "type" => "respond", "status" => 503, "reason" => "ServiceUnavailable" }.freeze,
      "stall" => { "type" => "stall" }.freeze,
      "slow" => { "type" => "pass", "delay" => "2s" }.freeze,
      "lose" => { "type" => "lose" }.freeze,
      "late" => { "type" => "deliverLate", "by" => "1m" }.freeze,
      "duplicate" => { "type" => "duplicate", "times" => 2 }.freeze,
      "reset" => { "type" => "resetStream", "code" => "INTERNAL_ERROR", "when" => "beforeHeaders" }.freeze,
      "refuse-stream" => { "type" => "resetStream", "code" => "REFUSED_STREAM", "when" => "beforeHeaders" }.freeze,
      "truncate" => { "type" => "truncate" }.freeze,
      "malformed" => { "type" => "malformedFrame" }.freeze,
      "oversized" => { "type" => "oversizedFrame" }.freeze,
      "goaway" => {
        "type" => "goaway",
        "code" => "NO_ERROR",
        "reason" => "Shutdown",
        "lastStreamId" => "processed",
        "twoStep" => false,
        "frames" => 1,
        "close" => "afterStreams",
      }.freeze,
      "close" => { "type" => "close", "how" => "rst" }.freeze,
      "hang-up" => { "type" => "close", "how" => "fin" }.freeze,
      "half-open" => { "type" => "close", "how" => "halfOpen" }.freeze,
      "streams" => { "type" => "settings", "maxConcurrentStreams" => 1 }.freeze,
      "no-window" => { "type" => "withholdWindow" }.freeze,
      "no-ping" => { "type" => "ignorePing" }.freeze,
      "throttle" => { "type" => "throttle", "bytesPerSecond" => 1000 }.freeze,
      "refuse" => { "type" => "refuse" }.freeze,
      "tls-alert" => { "type" => "tls", "alert" => "handshake_failure", "when" => "duringHandshake" }.freeze,
      "tls-expired" => { "type" => "tls", "certificate" => "expired" }.freeze,
      "tls-wrong-host" => { "type" => "tls", "certificate" => "wrongHost" }.freeze,
      "tls-untrusted" => { "type" => "tls", "certificate" => "untrusted" }.freeze,
      "tls-stall" => { "type" => "tls", "stall" => true }.freeze,
      "tls-slow" => { "type" => "tls", "slow" => "5s" }.freeze,
    }.freeze

    # The reasons that APNs gives.
    REASONS = %w[
      BadAuthorizationHeader BadCertificate BadCertificateEnvironment BadChannelId BadCollapseId BadDeviceToken
      BadEnvironmentKeyInToken BadExpirationDate BadJwtToken BadMessageId BadPath BadPriority BadRequestParams
      BadRequestPayload BadTopic BadTtl BadUrgency BadVapidPublicKey BadWebPushRequest BadWebPushTopic
      BroadcastFeatureNotEnabled CannotCreateChannelConfig ChannelNotRegistered DeviceTokenNotForTopic DuplicateHeaders
      ExpiredProviderToken ExpiredToken Forbidden IdleTimeout InternalServerError InvalidProviderToken InvalidPushType
      MethodNotAllowed MissingChannelId MissingChannelQueueSize MissingDeviceToken MissingProviderToken MissingPushType
      MissingTopic PayloadEmpty PayloadTooLarge ServiceUnavailable Shutdown TooManyProviderTokenUpdates TooManyRequests
      TopicDisallowed TopicMismatch Unregistered UnrelatedKeyIdInToken VapidPkHashMismatch
    ].freeze

    # The settings of a server, which are the flags of `mynah serve`.
    SETTINGS = %w[
      host port channels_port web_push_port cleartext_port proxy_port state_dir tls_name export_dir export_host auth
      auth_key provider_ca team_id team_topics broadcast_apps environment devices fixtures watch magic_tokens scenario
      seed payload_check push_type_check error_content_type documented_reasons stream_limits idle_timeout
      request_timeout max_errors reconnect_limit request_limit token_length issued_token_length unregister_delay
      background_budget activity_budget deferral_max token_updates retain retain_bytes data sync keep leave_out cluster
      cluster_name cluster_server cluster_replicas cluster_ca cluster_credentials control_port control_host
      control_token insecure_control allowed_host cors_origin shutdown_grace log_level log_format quiet log_pushes
    ].freeze

    # Settings that are flags without a value.
    SWITCHES = %w[watch documented_reasons insecure_control quiet].freeze

    # The version of the program.
    VERSION = "0.1.0"
  end
end
