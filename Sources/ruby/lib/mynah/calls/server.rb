# frozen_string_literal: true

# Made by Sources/helpers/generate.py: change that, or what the program says.
require_relative "../answers"
require_relative "../documents"
require_relative "../words"

module Mynah
  # The calls of `server` that are one request each.
  module ServerCalls
    include Documents

    # What it is and does: version, ports, clock, counts.
    def status
      answer = control.call("GET", "/v1/status")
      record(Status, answer)
    end

    # Its counters, in Prometheus's text format.
    def metrics
      control.call("GET", "/metrics")
    end

    # The OpenAPI document of the control API.
    def openapi
      answer = control.call("GET", "/openapi.json")
      answer
    end

    # The paths of the control API.
    def index
      answer = control.call("GET", "/v1/")
      answer
    end

    # What is there now, or in a `scope`, as a document for `mynah serve --fixtures`.
    #
    # Options: `scope`.
    def fixtures(**options)
      given = checked(:fixtures, options, Words::KNOWN[:server][:fixtures])
      answer = control.call("GET", "/v1/fixtures", query: parameters(given))
      answer
    end

    # The CA, and the development key with its ids.
    def credentials
      answer = control.call("GET", "/v1/credentials")
      record(Credentials, answer)
    end

    # The CA, PEM.
    def certificate_authority
      control.call("GET", "/ca.pem")
    end

    # Returns to the state of the start, of everything or of some kinds (`only`), or of a `scope`; gives how many of
    # each kind were removed.
    #
    # Options: `only`, `scope`.
    def reset(**options)
      given = checked(:reset, options, Words::KNOWN[:server][:reset])
      answer = control.call("POST", "/v1/reset", body: document(given))
      numbers(answer["removed"])
    end

    # The scopes in use.
    #
    # Options: `order`, `limit`, `cursor`.
    def scopes(**options)
      given = checked(:scopes, options, Words::KNOWN[:server][:scopes])
      answer = control.call("GET", "/v1/scopes", query: parameters(given))
      page(ScopeUse, answer)
    end

    # The fleets of devices, of all scopes.
    #
    # Options: `order`, `limit`, `cursor`.
    def fleets(**options)
      given = checked(:fleets, options, Words::KNOWN[:server][:fleets])
      answer = control.call("GET", "/v1/fleets", query: parameters(given))
      page(Fleet, answer)
    end

    # Creates a broadcast channel, as a provider does, but with an `id` of one's choice if that is given.
    #
    # Options: `id`, `environment`, `message_storage_policy`.
    def create_channel(bundle_id, **options)
      given = checked(:create_channel, options, Words::KNOWN[:server][:create_channel])
      answer = control.call("POST", "/v1/channels", body: document({ "bundleId" => bundle_id, **given }))
      record(Channel, answer)
    end

    # One broadcast channel.
    def channel(id)
      answer = control.call("GET", "/v1/channels/#{segment(id)}")
      record(Channel, answer)
    end

    # Deletes a broadcast channel: a broadcast to it is ChannelNotRegistered from then on.
    def delete_channel(id)
      answer = control.call("DELETE", "/v1/channels/#{segment(id)}")
      record(Channel, answer)
    end

    # Deletes all broadcast channels; gives how many.
    def delete_channels
      answer = control.call("DELETE", "/v1/channels")
      answer["removed"]["channels"]
    end

    # The keys of provider tokens that the server accepts, and those that were revoked.
    #
    # Options: `order`, `limit`, `cursor`.
    def keys(**options)
      given = checked(:keys, options, Words::KNOWN[:server][:keys])
      answer = control.call("GET", "/v1/keys", query: parameters(given))
      page(AddedKey, answer)
    end

    # One key.
    def key(key_id)
      answer = control.call("GET", "/v1/keys/#{segment(key_id)}")
      record(AddedKey, answer)
    end

    # Adds a key; without a `public_key` or `private_key`, a new one, whose `private_key` is in the answer.
    #
    # Options: `key_id`, `team`, `public_key`, `private_key`, `environment`, `topics`, `related`, `revoked_at`.
    def add_key(**options)
      given = checked(:add_key, options, Words::KNOWN[:server][:add_key])
      answer = control.call("POST", "/v1/keys", body: document(given))
      record(AddedKey, answer)
    end

    # Adds a key with this id, or replaces the one that has it.
    #
    # Options: `key_id`, `team`, `public_key`, `private_key`, `environment`, `topics`, `related`, `revoked_at`.
    def put_key(key_id, **options)
      given = checked(:put_key, options, Words::KNOWN[:server][:put_key])
      answer = control.call("PUT", "/v1/keys/#{segment(key_id)}", body: document(given))
      record(AddedKey, answer)
    end

    # Revokes a key: its tokens are InvalidProviderToken from then on.
    def revoke_key(key_id)
      answer = control.call("DELETE", "/v1/keys/#{segment(key_id)}")
      record(AddedKey, answer)
    end

    # The provider certificates that the server issued.
    #
    # Options: `order`, `limit`, `cursor`.
    def certificates(**options)
      given = checked(:certificates, options, Words::KNOWN[:server][:certificates])
      answer = control.call("GET", "/v1/certificates", query: parameters(given))
      page(IssuedCertificate, answer)
    end

    # One provider certificate.
    def certificate(serial_number)
      answer = control.call("GET", "/v1/certificates/#{segment(serial_number)}")
      record(IssuedCertificate, answer)
    end

    # Issues a provider certificate for topics, with its private key.
    #
    # Options: `voip`, `complication`, `environment`, `days`, `expired`, `key_type`, `password`, `csr`.
    def issue_certificate(*topics, **options)
      given = checked(:issue_certificate, options, Words::KNOWN[:server][:issue_certificate])
      answer = control.call("POST", "/v1/certificates", body: document({ "topics" => topics.flatten, **given }))
      record(IssuedCertificate, answer)
    end

    # Revokes a provider certificate: a handshake with it fails from then on.
    def revoke_certificate(serial_number)
      answer = control.call("DELETE", "/v1/certificates/#{segment(serial_number)}")
      record(IssuedCertificate, answer)
    end

    # The open connections of providers by filters; with `wait`, once `count` match or with `timed_out`.
    #
    # Options: `wait`, `count`, `order`, `limit`, `cursor`, `environment`, `team`, `key_id`, `connection`.
    def connections(**options)
      given = checked(:connections, options, Words::KNOWN[:server][:connections])
      answer = control.call("GET", "/v1/connections", query: parameters({ "limit" => LIST_MAX, **given }))
      page(Connection, answer)
    end

    # One open connection, by the number that pushes have as `connection`.
    def connection(id)
      answer = control.call("GET", "/v1/connections/#{segment(id)}")
      record(Connection, answer)
    end

    # Closes a connection with GOAWAY, or with `abort` resets it.
    #
    # Options: `abort`.
    def close_connection(connection, **options)
      given = checked(:close_connection, options, Words::KNOWN[:server][:close_connection])
      control.call("DELETE", "/v1/connections/#{segment(connection, :id)}", query: parameters(given))
      nil
    end

    # The newest connections that ended before their first request, and why.
    #
    # Options: `order`, `limit`, `cursor`.
    def failed_handshakes(**options)
      given = checked(:failed_handshakes, options, Words::KNOWN[:server][:failed_handshakes])
      answer = control.call("GET", "/v1/failed-handshakes", query: parameters(given))
      page(FailedHandshake, answer)
    end

    # The latest connections of providers that have closed.
    #
    # Options: `order`, `limit`, `cursor`.
    def closed_connections(**options)
      given = checked(:closed_connections, options, Words::KNOWN[:server][:closed_connections])
      answer = control.call("GET", "/v1/closed-connections", query: parameters(given))
      page(ClosedConnection, answer)
    end

    # The scenarios that run, all or those of a `scope`, or with `shipped` those that are part of the program.
    #
    # Options: `shipped`, `scope`, `order`, `limit`, `cursor`.
    def scenarios(**options)
      given = checked(:scenarios, options, Words::KNOWN[:server][:scenarios])
      answer = control.call("GET", "/v1/scenarios", query: parameters(given))
      page(Scenario, answer)
    end

    # A scenario that runs, for the whole server or in a `scope`.
    #
    # Options: `scope`.
    def scenario(name, **options)
      given = checked(:scenario, options, Words::KNOWN[:server][:scenario])
      answer = control.call("GET", "/v1/scenarios/#{segment(name)}", query: parameters(given))
      record(Scenario, answer)
    end

    # Ends a scenario, and removes its rules; gives how many of each kind.
    #
    # Options: `scope`.
    def remove_scenario(name, **options)
      given = checked(:remove_scenario, options, Words::KNOWN[:server][:remove_scenario])
      answer = control.call("DELETE", "/v1/scenarios/#{segment(name)}", query: parameters(given))
      numbers(answer["removed"])
    end

    # Ends all scenarios, or those of a `scope`, and removes their rules; gives how many of each kind.
    #
    # Options: `scope`.
    def remove_scenarios(**options)
      given = checked(:remove_scenarios, options, Words::KNOWN[:server][:remove_scenarios])
      answer = control.call("DELETE", "/v1/scenarios", query: parameters(given))
      numbers(answer["removed"])
    end

    # The device tokens and channels that are always answered the same.
    #
    # Options: `order`, `limit`, `cursor`.
    def magic_tokens(**options)
      given = checked(:magic_tokens, options, Words::KNOWN[:server][:magic_tokens])
      answer = control.call("GET", "/v1/magic-tokens", query: parameters(given))
      page(MagicToken, answer)
    end
  end
end
