# frozen_string_literal: true

# Made by Sources/helpers/generate.py: change that, or what the program says.
require_relative "../answers"
require_relative "../documents"
require_relative "../words"

module Mynah
  # The calls of `device` that are one request each.
  module DeviceCalls
    include Documents

    # A new snapshot of the device.
    def refresh
      answer = control.call("GET", "/v1/devices/#{segment(id)}")
      record(Device, answer)
    end

    # Changes the device; stored pushes have been delivered when a change to `online` is answered.
    #
    # Options: `user`, `name`, `os_version`, `locale`, `online`, `power`, `focus`, `languages`, `locked`, `muted`,
    # `watch`, `summary`.
    def change(**options)
      given = checked(:change, options, Words::KNOWN[:device][:change])
      answer = control.call("PATCH", "/v1/devices/#{segment(id)}", body: document(given))
      record(Device, answer)
    end

    # Removes the device.
    def remove
      control.call("DELETE", "/v1/devices/#{segment(id)}")
      nil
    end

    # What arrives on the device, and what changes on it, as it happens. With `connect` it is online until this is
    # closed; `after` is the id of the last event that is known, 0 for everything in the inbox.
    #
    # Options: `connect`, `after`.
    def events(**options, &block)
      given = checked(:events, options, Words::KNOWN[:device][:events])
      query = parameters(given.transform_keys("after" => "lastEventId"))
      control.events("/v1/devices/#{segment(id)}/stream", query, &block)
    end

    # Its apps as they are now.
    def apps
      answer = control.call("GET", "/v1/devices/#{segment(id)}/registrations")
      list(Registration, answer)
    end

    # An app as it is now; `environment` is by default the device's.
    #
    # Options: `environment`.
    def app(topic, **options)
      given = checked(:app, options, Words::KNOWN[:device][:app])
      answer = control.call(
        "GET", "/v1/devices/#{segment(id)}/registrations/#{segment(topic)}",
        query: parameters(given)
      )
      record(Registration, answer)
    end

    # Installs an app, or launches it again.
    #
    # Options: `kind`, `application_server_key`, `environment`, `token`, `launched`, `entitled`, `rotate`,
    # `background_refresh`, `worker`, `app_state`, `permissions`, `present_in_foreground`, `app_name`, `sounds`,
    # `categories`, `strings`, `development_language`, `service_extension`, `focus_filter`, `reports_calls`,
    # `frequent_updates`, `background_fetch`, `background_modes`, `state`, `since`, `ended_at`, `web_push`,
    # `unregistered_at`.
    def install(topic, **options)
      given = checked(:install, options, Words::KNOWN[:device][:install])
      control.call("POST", "/v1/devices/#{segment(id)}/registrations", body: document({ "topic" => topic, **given }))
      refresh
    end

    # Changes an app.
    #
    # Options: `environment`, `background_refresh`, `worker`, `app_state`, `permissions`, `present_in_foreground`,
    # `app_name`, `sounds`, `categories`, `strings`, `development_language`, `service_extension`, `focus_filter`,
    # `reports_calls`, `frequent_updates`, `background_fetch`, `background_modes`.
    def change_app(topic, **options)
      given = checked(:change_app, options, Words::KNOWN[:device][:change_app])
      control.call(
        "PATCH", "/v1/devices/#{segment(id)}/registrations/#{segment(topic)}",
        query: parameters(given.slice("environment")),
        body: document(given.except("environment"))
      )
      refresh
    end

    # Removes an app; its token is Unregistered from then on.
    #
    # Options: `environment`.
    def uninstall(topic, **options)
      given = checked(:uninstall, options, Words::KNOWN[:device][:uninstall])
      control.call(
        "DELETE", "/v1/devices/#{segment(id)}/registrations/#{segment(topic)}",
        query: parameters(given)
      )
      refresh
    end

    # The arrivals in the order of delivery; with `wait`, once `count` arrived or with `timed_out`.
    #
    # Options: `q`, `kind`, `wait`, `count`, `after`, `order`, `limit`, `cursor`, `token`, `device`, `topic`, `channel`,
    # `team`, `key_id`, `apns_id`, `unique_id`, `collapse_id`, `push_type`, `priority`, `environment`, `connection`,
    # `status`, `reason`, `outcome`, `shown`, `sounded`, `fault`, `has`, `since`, `until`, `text`, `payload`, `screen`,
    # `web_push`.
    def inbox(**options)
      given = checked(:inbox, options, Words::KNOWN[:device][:inbox])
      answer = control.call("GET", "/v1/devices/#{segment(id)}/inbox", query: parameters(given))
      page(Arrival, answer)
    end

    # What the user sees.
    def screen
      answer = control.call("GET", "/v1/devices/#{segment(id)}/screen")
      record(Screen, answer)
    end

    # Opens a notification, or chooses one of its actions, as the user does.
    def act(notification, action = "default", text = nil)
      control.call(
        "POST", "/v1/devices/#{segment(id)}/screen/#{segment(notification, :sequence)}/actions",
        body: document({ "action" => action, **known("text" => text) })
      )
      nil
    end

    # Clears a notification, as the user does.
    def dismiss(notification)
      control.call("DELETE", "/v1/devices/#{segment(id)}/screen/#{segment(notification, :sequence)}")
      nil
    end

    # Its Live Activities, newest first, with those that are dismissed.
    def activities
      answer = control.call("GET", "/v1/devices/#{segment(id)}/activities")
      list(LiveActivity, answer)
    end

    # A Live Activity as it is now.
    def activity(activity)
      answer = control.call("GET", "/v1/devices/#{segment(id)}/activities/#{segment(activity, :id)}")
      record(LiveActivity, answer)
    end

    # Starts a Live Activity as its app does.
    #
    # Options: `environment`, `attributes`, `content_state`, `stale_date`, `relevance_score`, `push_type`.
    def start_activity(topic, attributes_type, **options)
      given = checked(:start_activity, options, Words::KNOWN[:device][:start_activity])
      answer = control.call(
        "POST", "/v1/devices/#{segment(id)}/activities",
        body: document({ "topic" => topic, "attributesType" => attributes_type, **given })
      )
      record(LiveActivity, answer)
    end

    # Changes what a Live Activity shows, as its app does.
    #
    # Options: `content_state`, `stale_date`, `relevance_score`, `dismissal_date`.
    def update_activity(activity, **options)
      given = checked(:update_activity, options, Words::KNOWN[:device][:update_activity])
      answer = control.call(
        "PATCH", "/v1/devices/#{segment(id)}/activities/#{segment(activity, :id)}",
        body: document(given)
      )
      record(LiveActivity, answer)
    end

    # Ends a Live Activity as its app does, by default with four hours on the lock screen.
    #
    # Options: `content_state`, `stale_date`, `relevance_score`, `dismissal_date`.
    def end_activity(activity, **options)
      given = checked(:end_activity, options, Words::KNOWN[:device][:end_activity])
      answer = control.call(
        "PATCH", "/v1/devices/#{segment(id)}/activities/#{segment(activity, :id)}",
        body: document({ "state" => "ended", **given })
      )
      record(LiveActivity, answer)
    end

    # Takes a Live Activity off the screen, as the user does.
    def dismiss_activity(activity)
      control.call("DELETE", "/v1/devices/#{segment(id)}/activities/#{segment(activity, :id)}")
      nil
    end

    # Its running Live Activities that follow channels, newest first.
    def subscriptions
      answer = control.call("GET", "/v1/devices/#{segment(id)}/subscriptions")
      list(LiveActivity, answer)
    end

    # Subscribes the device to a channel, by a Live Activity that its app starts.
    #
    # Options: `topic`, `environment`, `attributes_type`, `attributes`, `content_state`, `stale_date`,
    # `relevance_score`.
    def subscribe(channel, **options)
      given = checked(:subscribe, options, Words::KNOWN[:device][:subscribe])
      answer = control.call(
        "POST", "/v1/devices/#{segment(id)}/subscriptions",
        body: document({ "channel" => channel, **given })
      )
      record(LiveActivity, answer)
    end

    # Dismisses the Live Activities that follow a channel, as the user does; gives how many.
    def unsubscribe(channel)
      answer = control.call("DELETE", "/v1/devices/#{segment(id)}/subscriptions/#{segment(channel)}")
      answer["removed"]["activities"]
    end
  end
end
