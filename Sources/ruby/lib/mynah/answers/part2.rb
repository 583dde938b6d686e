# frozen_string_literal: true

# Made by Sources/helpers/generate.py: change that, or what the program says.
require_relative "../record"

module Mynah
  # `IssuedCertificate` of the API.
  class IssuedCertificate < Record
    member :serial_number
    member :subject
    member :topics, [:CertificateTopics]
    member :environment
    member :not_before, Time
    member :not_after, Time
    member :issued_at, Time
    member :revoked_at, Time
    member :certificate
    member :authority
    member :private_key
    member :pkcs12
    member :password
  end

  # `LiveActivity` of the API.
  class LiveActivity < Record
    member :id
    member :topic
    member :environment
    member :state
    member :attributes_type
    member :attributes
    member :content_state
    member :started_at, Time
    member :timestamp, Time
    member :stale_date, Time
    member :ended_at, Time
    member :dismissal_date, Time
    member :relevance_score
    member :token
    member :channel
    member :history, [:LiveActivityHistory]
  end

  # `LiveActivityHistory` of the API.
  class LiveActivityHistory < Record
    member :event
    member :at, Time
    member :sequence
    member :content_state
  end

  # `MagicToken` of the API.
  class MagicToken < Record
    member :token
    member :channel
    member :segment
    member :does
    member :status
    member :reason
  end

  # `Notification` of the API.
  class NotificationMembers < Record
    member :sequence
    member :apns_id
    member :kind
    member :attempt
    member :repeats
    member :unique_id
    member :received_at, Time
    member :environment
    member :connection
    member :stream
    member :credential
    member :token
    member :device
    member :scope
    member :topic
    member :channel
    member :devices
    member :push_type
    member :priority
    member :expiration
    member :collapse_id
    member :method
    member :path
    member :headers
    member :payload
    member :payload_base64
    member :web_push, :NotificationWebPush
    member :payload_size
    member :warnings
    member :status
    member :reason
    member :timestamp
    member :fault
    member :outcome
    member :shown
    member :sounded
    member :timeline, [:NotificationTimeline]
  end

  # `NotificationGroup` of the API.
  class NotificationGroup < Record
    member :topic
    member :thread_id
    member :count
    member :sequences
    member :summary
  end

  # `NotificationTimeline` of the API.
  class NotificationTimeline < Record
    member :at, Time
    member :event
    member :detail
  end

  # `NotificationWebPush` of the API.
  class NotificationWebPush < Record
    member :refusals, [:NotificationWebPushRefusals]
    member :claims
    member :application_server_key
    member :ttl
    member :urgency
    member :topic
    member :encoding
    member :plaintext
    member :problem
    member :declarative
    member :not_declarative
    member :navigate
  end

  # `NotificationWebPushRefusals` of the API.
  class NotificationWebPushRefusals < Record
    member :status
    member :reason
    member :cause
    member :evidence
  end

  # `PlayedSound` of the API.
  class PlayedSound < Record
    member :sequence
    member :topic
    member :at, Time
    member :sound, :ScreenNotificationSound
  end

  # `Registration` of the API.
  class Registration < Record
    member :topic
    member :kind
    member :token
    member :application_server_key
    member :web_push
    member :environment
    member :state
    member :since, Time
    member :ended_at, Time
    member :unregistered_at, Time
    member :background_refresh
    member :worker
    member :app_state
    member :permissions, :RegistrationPermissions
    member :present_in_foreground
    member :app_name
    member :sounds
    member :categories, [:Category]
    member :strings
    member :development_language
    member :service_extension
    member :focus_filter
    member :reports_calls
    member :frequent_updates
    member :background_fetch, :BackgroundFetch
    member :background_modes
  end

  # `RegistrationPermissions` of the API.
  class RegistrationPermissions < Record
    member :authorization
    member :alert
    member :badge
    member :sound
    member :critical
    member :time_sensitive
    member :location
    member :lock_screen
    member :notification_center
    member :live_activities
    member :frequent_pushes
    member :alert_style
    member :show_previews
  end

  # `Scenario` of the API.
  class Scenario < Record
    member :name
    member :description
    member :scope
    member :seed
    member :steps, [:ScenarioSteps]
    member :started_at, Time
    member :steps_done
    member :next
    member :rules
    member :problem
  end

  # `ScenarioSteps` of the API.
  class ScenarioSteps < Record
    member :after
    member :add, [:FaultSpecification]
    member :remove
  end

  # `ScopeUse` of the API.
  class ScopeUse < Record
    member :name
    member :devices
    member :faults
  end

  # `Screen` of the API.
  class Screen < Record
    member :at, Time
    member :badges
    member :notifications, [:ScreenNotification]
    member :groups, [:NotificationGroup]
    member :summary
    member :held, [:ScreenHeld]
    member :activities, [:LiveActivity]
    member :wakes, [:Wake]
    member :responses, [:AppResponse]
    member :sounds, [:PlayedSound]
    member :evicted
  end

  # `ScreenHeld` of the API.
  class ScreenHeld < Record
    member :sequence
    member :topic
    member :until, Time
  end

  # `ScreenNotification` of the API.
  class ScreenNotification < Record
    member :sequence
    member :apns_id
    member :identifier
    member :topic
    member :title
    member :subtitle
    member :body
    member :preview_hidden
    member :sound
    member :thread_id
    member :category
    member :actions, [:ShownAction]
    member :action_title
    member :interruption_level
    member :relevance_score
    member :collapse_id
    member :mutable_content
    member :shown_at, Time
    member :updated_at, Time
    member :group
    member :banner
    member :alert_style
    member :lock_screen
    member :notification_center
    member :on_watch
    member :sender
    member :attachments
    member :details
    member :warnings
  end

  # `ScreenNotificationSound` of the API.
  class ScreenNotificationSound < Record
    member :name
    member :critical
    member :volume
  end

  # `SentNotification` of the API.
  class SentNotification < Record
    member :status
    member :reason
    member :apns_id
    member :sequence
    member :problem
  end

  # `ShownAction` of the API.
  class ShownAction < Record
    member :id
    member :title
    member :destructive
    member :foreground
    member :authentication_required
    member :text_input
    member :text_input_button_title
    member :text_input_placeholder
  end

  # `StartedActivities` of the API.
  class StartedActivities < Record
    member :started, :StartedActivitiesStarted
    member :refused, :StartedActivitiesRefused
    member :refusals, [:StartedActivitiesRefusals]
  end

  # `StartedActivitiesRefusals` of the API.
  class StartedActivitiesRefusals < Record
    member :device
    member :reason
  end

  # `StartedActivitiesRefused` of the API.
  class StartedActivitiesRefused < Record
    member :devices
  end

  # `StartedActivitiesStarted` of the API.
  class StartedActivitiesStarted < Record
    member :activities
  end
end
