# frozen_string_literal: true

require_relative "calls/scope"
require_relative "clock"
require_relative "control"
require_relative "device"
require_relative "expectations"
require_relative "fault"

module Mynah
  # A server, and a scope in it.
  #
  # Devices and faults made here have the scope; lists, removals, expectations and the clock apply to it, unless
  # `scope: nil` extends them to the whole server. A push belongs to the scope of its device.
  class Scope
    include ScopeCalls
    include Answers

    # The longest `within` and the longest `settle` that the server accepts.
    EXPECTATION_SECONDS = 3600
    DEVICE_OPTIONS = ["online", *Words::SETS[:device_settings]].freeze
    FAULT_OPTIONS = [
      "scope", "match", *Words::SETS[:fault_settings], *Words::SETS[:fault_options], *Words::SETS[:fault_filters]
    ].freeze
    LIMITS = %w[count exactly max within settle after].freeze
    EXPECT_OPTIONS = ["scope", "match", "inOrder", "otherThan", *LIMITS, *Words::SETS[:filters]].freeze

    attr_reader :server, :name

    def initialize(server, name)
      @server = server
      @name = name
      # The ids of rules outside the scope, which are removed with it.
      @shared_faults = []
    end

    # For the code under test

    # The host for pushes.
    def host
      server.host
    end

    # The port for pushes.
    def port
      server.port
    end

    # The URL for pushes: `https://localhost:2197`.
    def apns_url
      server.apns_url
    end

    # The CA to trust, PEM.
    def ca
      server.ca
    end

    # A file with the CA: `ca_file` of OpenSSL and Net::HTTP, `--cacert` of curl.
    def ca_file
      server.ca_file
    end

    # A context of OpenSSL for HTTP/2, which trusts the CA.
    def ssl_context
      server.ssl_context
    end

    # The development key that signs provider tokens, PEM.
    def signing_key
      server.signing_key
    end

    # A file with the development key, an `AuthKey_<KEYID>.p8`.
    def key_file
      server.key_file
    end

    # The id of the development key.
    def key_id
      server.key_id
    end

    # The team of the development key.
    def team_id
      server.team_id
    end

    # A provider token that the server accepts, for `authorization: bearer …`.
    def provider_token
      server.provider_token
    end

    def control
      server.control
    end

    # To arrange

    # Makes a device with an app, or with several.
    #
    # With `online: false` the device goes offline after its apps have got their tokens.
    def device(*topics, **options)
      given = checked(:device, options, DEVICE_OPTIONS)
      body = document({ "scope" => name, **with_apps(topics, given.except("online")) })
      made = record(Device, control.post("/v1/devices", body))
      given.fetch("online", true) ? made : made.change(online: false)
    end

    # Adds a fault rule: `fault("slow", delay: "5s")`, `fault(403, reason: "ExpiredProviderToken", times: 2)`.
    #
    # `action` is a status to answer with its usual reason, a preset or a reason by the names of `mynah fault add`, the
    # API's object, or an array of these, one after the other. Options are members of the action, of the rule, and
    # filters; `match` has filters too. Connections have no scope, so a rule with an action on connections or
    # handshakes, like `"refuse"`, needs `scope: nil`; it too is removed with the scope, but until then it also affects
    # other tests on the same server.
    def fault(action, **options)
      kept(options) { control.post("/v1/faults", rule_of(:fault, action, options)) }
    end

    # Makes a fault rule with this id, in place of the one that has it; otherwise like `fault`.
    def put_fault(id, action, **options)
      kept(options) { control.put("/v1/faults/#{segment(id)}", rule_of(:put_fault, action, options)) }
    end

    # Starts a scenario for this scope: one that is part of the program by its name, or one of one's own.
    #
    # One with rules of connections or handshakes needs a whole server: `server.start_scenario`.
    def start_scenario(scenario)
      server.start_scenario(scenario, scope: name)
    end

    # The clock of this scope's devices.
    def clock
      Clock.new(control, name)
    end

    # To assert

    # The newest sequence number; as `after`, it selects later pushes.
    def last_sequence
      notifications(scope: nil, limit: 1).last_sequence
    end

    # Waits for pushes like `expect`, but gives the result also if it is unmet.
    def check(**options)
      result_of(:check, options)
    end

    # Waits until pushes match: one, `count` or more, `exactly` or at most `max` of them, `within` 5 s.
    #
    # Filters are those of `POST /v1/expectations`: `expect(topic: "com.example.app", screen: { "/title" => "Hello" })`.
    # `settle` waits for further pushes, `in_order` is an array of matches; `max: 0, other_than: […]` says that no push
    # comes but those that these matches select. A broadcast is of no scope: `expect(channel: id, scope: nil)`. Raises
    # an `ExpectationUnmet` with the nearest pushes.
    def expect(**options)
      result = result_of(:expect, options)
      raise ExpectationUnmet, result unless result.met

      result
    end

    # Waits for `count` pushes that match; gives at most 100 of them, oldest first. Raises like `expect`.
    def wait(count: 1, **options)
      checked(:wait, options, ["scope", "within", *Words::SETS[:filters]])
      expect(count: count, **options).items
    end

    # The end

    # Removes everything of this scope; gives how many of each kind.
    def remove
      while (id = @shared_faults.pop)
        begin
          control.delete("/v1/faults/#{segment(id)}")
        rescue ControlError => error
          # The test has removed it.
          raise unless error.status == 404
        end
      end
      numbers(control.delete("/v1/scopes/#{segment(name)}")["removed"])
    end

    def inspect
      "#<#{self.class.name} #{name} of #{server.url}>"
    end

    private

    def result_of(call, options)
      given = checked(call, options, EXPECT_OPTIONS)
      match = match_of(given["match"] || {}).merge(match_of(given.slice(*Words::SETS[:filters])))
      refuse_contradictions(given, match)
      limits = given.slice("after")
      %w[within settle].each { |limit| limits[limit] = duration(given[limit]) if given.key?(limit) }
      scope = given.fetch("scope", name)
      body = document({ "scope" => scope, **what_of(given, match), **limits })
      timeout = (2 * EXPECTATION_SECONDS) + ControlAPI::ANSWER_SECONDS
      ExpectationResult.new(control.call("POST", "/v1/expectations", body: body, timeout: timeout), body)
    end

    def refuse_contradictions(given, match)
      counts = %w[count exactly max] & given.keys
      if given.key?("inOrder") && !(match.empty? && counts.empty?)
        raise ArgumentError, "in_order: leave out filters and counts; each step has its own filters"
      end
      raise ArgumentError, "exactly: leave out count and max" if given.key?("exactly") && counts.size > 1
      return unless given.key?("inOrder") && given.key?("otherThan")

      raise ArgumentError, "other_than: leave it out, because in_order lets others come in between"
    end

    def what_of(given, match)
      return { "inOrder" => given["inOrder"].map { |step| match_of(step) } } if given.key?("inOrder")

      others = given.slice("otherThan").transform_values { |matches| matches.map { |one| match_of(one) } }
      { "match" => match, "count" => counts_of(given), **others }
    end

    def counts_of(given)
      return { "exactly" => given["exactly"] } if given.key?("exactly")

      # "At most two" doesn't require one.
      least = given["count"] || (given.key?("max") ? nil : 1)
      known("min" => least, "max" => given["max"])
    end

    def rule_of(call, action, options)
      given = checked(call, options, FAULT_OPTIONS)
      match = match_of(given["match"] || {}).merge(match_of(given.slice(*Words::SETS[:fault_filters])))
      rule = { "scope" => name, **given.slice("scope", *Words::SETS[:fault_settings]), "match" => match }
      own = plain(given.slice(*Words::SETS[:fault_options]).transform_keys(&:to_sym))
      document(rule).merge(Actions.members_of(action, own))
    end

    def kept(options)
      answer = yield
      @shared_faults << answer["id"] unless answer["scope"] == name
      record(Fault, answer)
    rescue ControlError => error
      raise if options.key?(:scope) || !error.field.to_s.end_with?("scope")

      # Nobody had asked for one.
      raise error, "#{error.message}: pass scope: nil, for a rule of the whole server"
    end
  end
end
