# frozen_string_literal: true

# Made by Sources/helpers/generate.py: change that, or what the program says.
require_relative "../record"

module Mynah
  # `AddedKey` of the API.
  class AddedKey < Record
    member :key_id
    member :team
    member :public_key
    member :environment
    member :topics
    member :related
    member :revoked_at, Time
    member :can_sign
    member :private_key
  end

  # `AppResponse` of the API.
  class AppResponse < Record
    member :sequence
    member :topic
    member :action
    member :text
    member :at, Time
    member :navigate
  end

  # `Arrival` of the API.
  class Arrival < Record
    member :sequence
    member :apns_id
    member :topic
    member :push_type
    member :kind
    member :payload
    member :payload_base64
    member :delivered_at, Time
    member :evicted
  end

  # `BackgroundFetch` of the API.
  class BackgroundFetch < Record
    member :result
    member :takes
  end

  # `Category` of the API.
  class Category < Record
    member :id
    member :actions, [:CategoryActions]
    member :custom_dismiss
    member :summary_format
    member :hidden_previews_body_placeholder
  end

  # `CategoryActions` of the API.
  class CategoryActions < Record
    member :id
    member :title
    member :destructive
    member :foreground
    member :authentication_required
    member :text_input
    member :text_input_button_title
    member :text_input_placeholder
  end

  # `CertificateTopics` of the API.
  class CertificateTopics < Record
    member :topic
    member :kind
  end

  # `Channel` of the API.
  class Channel < Record
    member :id
    member :bundle_id
    member :environment
    member :message_storage_policy
    member :created_at, Time
    member :broadcasts
    member :followers
    member :stored_until, Time
  end

  # `ClockReport` of the API.
  class ClockReport < Record
    member :mode
    member :now, Time
    member :last_sequence
    member :delivered
    member :expired
    member :coalesced
  end

  # `ClosedConnection` of the API.
  class ClosedConnection < Record
    member :id
    member :peer
    member :opened_at, Time
    member :tls
    member :cipher
    member :sni
    member :alpn
    member :environment
    member :credential
    member :streams, :ConnectionStreams
    member :pushes
    member :pings
    member :bytes_in
    member :bytes_out
    member :server
    member :closed_at, Time
    member :reason
  end

  # `Connection` of the API.
  class Connection < Record
    member :id
    member :peer
    member :opened_at, Time
    member :tls
    member :cipher
    member :sni
    member :alpn
    member :environment
    member :credential
    member :streams, :ConnectionStreams
    member :pushes
    member :pings
    member :bytes_in
    member :bytes_out
    member :server
  end

  # `ConnectionStreams` of the API.
  class ConnectionStreams < Record
    member :open
    member :limit
    member :total
  end

  # `Credentials` of the API.
  class Credentials < Record
    member :ca
    member :key_id
    member :team_id
    member :key
  end

  # `Device` of the API.
  class DeviceMembers < Record
    member :id
    member :scope
    member :user
    member :name
    member :model
    member :platform
    member :os_version
    member :environment
    member :locale
    member :online
    member :power
    member :focus
    member :languages
    member :locked
    member :muted
    member :watch
    member :summary
    member :registrations, [:Registration]
    member :stored
    member :deferred
  end

  # `DeviceInbox` of the API.
  class DeviceInbox < Record
    member :count
    member :dropped
    member :last
  end

  # `ExpectationResult` of the API.
  class ExpectationResultMembers < Record
    member :met
    member :matched
    member :items, [:Notification]
    member :failed_at
    member :nearest, [:ExpectationResultNearest]
    member :hints
    member :evicted
    member :last_sequence
  end

  # `ExpectationResultNearest` of the API.
  class ExpectationResultNearest < Record
    member :sequence
    member :differences, [:ExpectationResultNearestDifferences]
    member :push, :Notification
  end

  # `ExpectationResultNearestDifferences` of the API.
  class ExpectationResultNearestDifferences < Record
    member :field
    member :expected
    member :actual
  end

  # `FailedHandshake` of the API.
  class FailedHandshake < Record
    member :id
    member :at, Time
    member :peer
    member :sni
    member :environment
    member :cause
    member :reason
    member :count
  end

  # `Fault` of the API.
  class FaultMembers < Record
    member :id
    member :name
    member :scope
    member :enabled
    member :rule_priority
    member :match, :FaultMatch
    member :skip
    member :times
    member :every
    member :probability
    member :connections
    member :keys
    member :rate_over
    member :active_from, Time
    member :active_until, Time
    member :action
    member :actions, [:FaultAction]
    member :then
    member :matched
    member :fired
    member :remaining
    member :created_at, Time
    member :words, :FaultWords
    member :timed_out
  end

  # `FaultAction` of the API.
  class FaultAction < Record
    member :type
    member :delay
    member :clock
    member :status
    member :reason
    member :timestamp
    member :body
    member :answer_headers
    member :apns_id
    member :deliver
    member :by
    member :times
    member :code
    member :when
    member :debug
    member :last_stream_id
    member :two_step
    member :frames
    member :close
    member :after_pushes
    member :max_concurrent_streams
    member :initial_window_size
    member :header_table_size
    member :max_frame_size
    member :withhold
    member :alert
    member :certificate
    member :stall
    member :slow
    member :how
    member :after_bytes
    member :after_idle
    member :bytes_per_second
    member :chunk
  end

  # `FaultMatch` of the API.
  class FaultMatch < Record
    member :token
    member :device
    member :scope
    member :topic
    member :channel
    member :team
    member :key_id
    member :apns_id
    member :collapse_id
    member :push_type
    member :priority
    member :environment
    member :connection
    member :kind
    member :text
    member :payload
    member :payload_includes
    member :headers
    member :event
  end

  # `FaultSpecification` of the API.
  class FaultSpecification < Record
    member :id
    member :name
    member :scope
    member :enabled
    member :rule_priority
    member :match, :FaultMatch
    member :skip
    member :times
    member :every
    member :probability
    member :connections
    member :keys
    member :rate_over
    member :active_from, Time
    member :active_until, Time
    member :action
    member :actions, [:FaultAction]
    member :then
    member :matched
    member :fired
    member :remaining
    member :created_at, Time
    member :words
  end

  # `FaultWords` of the API.
  class FaultWords < Record
    member :does
    member :matches
    member :fires
  end

  # `Fleet` of the API.
  class Fleet < Record
    member :id
    member :devices
    member :last_push
  end
end
