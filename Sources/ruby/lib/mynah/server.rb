# frozen_string_literal: true

require "openssl"
require "time"
require_relative "calls/server"
require_relative "scope"
require_relative "signing"

module Mynah
  # A server, for the code under test and its tests; `Mynah.start_server` and `Mynah.connect` make one.
  class Server
    include ServerCalls
    include Answers

    # The lifetime of a provider token here: APNs accepts it for an hour, and refuses a new one within 20 minutes
    # (TooManyProviderTokenUpdates).
    TOKEN_SECONDS = 50 * 60

    # The calls of its control API.
    attr_reader :control

    # `place` says where it is, what it trusts, and how it ends.
    def initialize(place)
      @place = place
      @control = place.control
      @lock = Mutex.new
    end

    # For the code under test

    # The URL of the control API.
    def url
      control.url
    end

    # The host for pushes.
    def host
      @place.host
    end

    # The port for pushes.
    def port
      @place.port
    end

    # The URL for pushes: `https://localhost:2197`.
    def apns_url
      "https://#{host.include?(":") ? "[#{host}]" : host}:#{port}"
    end

    # The CA to trust, PEM.
    def ca
      @place.ca
    end

    # A file with the CA: `ca_file` of OpenSSL and Net::HTTP, `--cacert` of curl.
    def ca_file
      @place.ca_file
    end

    # A context of OpenSSL for HTTP/2, which trusts the CA.
    def ssl_context
      context = OpenSSL::SSL::SSLContext.new
      context.set_params(ca_file: ca_file, alpn_protocols: ["h2"])
      context
    end

    # The development key that signs provider tokens, PEM; an error if the server uses its user's own keys.
    def signing_key
      own(@place.key)
    end

    # A file with the development key, an `AuthKey_<KEYID>.p8`.
    def key_file
      own(@place.key)
      @place.key_file
    end

    # The id of the development key.
    def key_id
      own(@place.key_id)
    end

    # The team of the development key.
    def team_id
      own(@place.team_id)
    end

    # A provider token that the server accepts, for `authorization: bearer …`.
    #
    # It stays the same for 50 minutes of the server's clock, as APNs requires.
    def provider_token
      now = status.now.to_i
      @lock.synchronize do
        age = @issued_at.nil? ? -1 : now - @issued_at
        unless (0...TOKEN_SECONDS).cover?(age)
          @token = Signing.provider_token(signing_key, key_id, team_id, now)
          @issued_at = now
        end
        @token
      end
    end

    # The server itself

    # `starting`, `ready` or `stopping`, by a probe: `livez`, `healthz` or `readyz`.
    #
    # `readyz` raises a `ControlError` with status 503 unless it is ready.
    def probe(name = "readyz")
      control.get("/#{segment(name)}")["status"]
    end

    # The server's clock, which all tests share.
    def clock
      Clock.new(control, nil)
    end

    # The server's log; empty for a server that was not started here.
    def log_lines
      @place.log_lines
    end

    # The server as one test sees it.
    def scope(name)
      Scope.new(self, name)
    end

    # All broadcast channels, of an app or an environment; those of providers too, in the order of creation.
    def channels(bundle_id: nil, environment: nil)
      found = []
      cursor = nil
      loop do
        query = known(
          "bundleId" => bundle_id, "environment" => environment, "limit" => LIST_MAX, "cursor" => cursor
        )
        page = page(Channel, control.get("/v1/channels", parameters(query)))
        found.concat(page.items)
        cursor = page.next_cursor
        return found if cursor.nil?
      end
    end

    # Starts a scenario of the program by its name, or one of one's own, for the whole server or a `scope`.
    def start_scenario(scenario, scope: nil)
      named = scenario.is_a?(Hash) ? scenario : { "name" => scenario }
      record(Scenario, control.post("/v1/scenarios", document({ **plain(named), "scope" => scope })))
    end

    # The end

    # Stops the server if it was started here.
    def close
      @place.close
    end

    def inspect
      "#<#{self.class.name} #{url}>"
    end

    private

    def own(value)
      raise Error, "the server uses its user's own keys, which it doesn't hand out" if value.nil?

      value
    end
  end
end
