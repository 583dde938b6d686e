# frozen_string_literal: true

# Made by Sources/helpers/generate.py: change that, or what the program says.
require_relative "../record"

module Mynah
  # `Status` of the API.
  class Status < Record
    member :name
    member :version
    member :started_at, Time
    member :now, Time
    member :clock
    member :seed
    member :ports, :StatusPorts
    member :environment
    member :counts, :StatusCounts
    member :journal
    member :memory, :StatusMemory
    member :recorded
  end

  # `StatusCounts` of the API.
  class StatusCounts < Record
    member :received
    member :accepted
    member :refused
    member :devices
    member :stored
    member :deferred
    member :faults
    member :faults_fired
    member :scopes
    member :connections
    member :handshakes_failed
    member :connections_refused
  end

  # `StatusMemory` of the API.
  class StatusMemory < Record
    member :resident
  end

  # `StatusPorts` of the API.
  class StatusPorts < Record
    member :apns
    member :channels
    member :web_push
    member :cleartext
    member :proxy
    member :control
  end

  # `Wake` of the API.
  class Wake < Record
    member :topic
    member :sequence
    member :at, Time
    member :state
    member :result
    member :ended_at, Time
  end
end
