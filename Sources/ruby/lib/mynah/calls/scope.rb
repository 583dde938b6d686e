# frozen_string_literal: true

# Made by Sources/helpers/generate.py: change that, or what the program says.
require_relative "../answers"
require_relative "../documents"
require_relative "../words"

module Mynah
  # The calls of `scope` that are one request each.
  module ScopeCalls
    include Documents

    # Makes many devices of a kind, with numbers behind `id`; gives the first 1,000.
    #
    # Options: `id`, `user`, `name`, `model`, `platform`, `os_version`, `environment`, `locale`, `power`, `focus`,
    # `languages`, `locked`, `muted`, `watch`, `summary`, `registrations`, `activities`.
    def add_devices(id, count, *topics, **options)
      given = checked(:add_devices, options, Words::KNOWN[:scope][:add_devices])
      answer = control.call(
        "POST", "/v1/devices",
        body: document({ "scope" => name, "id" => id, "count" => count, **with_apps(topics, given) })
      )
      page(Device, answer)
    end

    # Makes a device with this id, in place of the one that has it.
    #
    # Options: `id`, `user`, `name`, `model`, `platform`, `os_version`, `environment`, `locale`, `power`, `focus`,
    # `languages`, `locked`, `muted`, `watch`, `summary`, `registrations`, `activities`.
    def put_device(id, *topics, **options)
      given = checked(:put_device, options, Words::KNOWN[:scope][:put_device])
      answer = control.call(
        "PUT", "/v1/devices/#{segment(id)}",
        body: document({ "scope" => name, **with_apps(topics, given) })
      )
      record(Device, answer)
    end

    # The device with this id, in whatever scope; an error with status 404 for an unknown one.
    def find_device(id)
      answer = control.call("GET", "/v1/devices/#{segment(id)}")
      record(Device, answer)
    end

    # The devices by filters: by id, or by `sort`.
    #
    # Options: `scope`, `sort`, `after`, `order`, `limit`, `cursor`, `device`, `fleet`, `topic`, `token`, `environment`,
    # `named`, `user`, `platform`, `online`, `power`.
    def devices(**options)
      given = checked(:devices, options, Words::KNOWN[:scope][:devices])
      answer = control.call("GET", "/v1/devices", query: parameters({ "limit" => LIST_MAX, "scope" => name, **given }))
      page(Device, answer)
    end

    # Changes all devices, or those of a user, as a device's `change` does one; gives how many.
    #
    # Options: `scope`, `user`, `name`, `os_version`, `locale`, `online`, `power`, `focus`, `languages`, `locked`,
    # `muted`, `watch`, `summary`.
    def change_devices(user = nil, **options)
      given = checked(:change_devices, options, Words::KNOWN[:scope][:change_devices])
      answer = control.call(
        "PATCH", "/v1/devices",
        query: parameters({ "scope" => name, **known("user" => user), **given.slice("scope") }),
        body: document(given.except("scope"))
      )
      answer["changed"]["devices"]
    end

    # Removes devices by filters; gives how many.
    #
    # Options: `scope`, `device`, `fleet`, `topic`, `token`, `environment`, `named`, `user`, `platform`, `online`,
    # `power`.
    def remove_devices(**options)
      given = checked(:remove_devices, options, Words::KNOWN[:scope][:remove_devices])
      answer = control.call("DELETE", "/v1/devices", query: parameters({ "scope" => name, **given }))
      answer["removed"]["devices"]
    end

    # Starts a Live Activity on each device of this scope, or of a `user` in it, as `start_activity` does on one.
    #
    # Options: `user`, `environment`, `attributes`, `content_state`, `stale_date`, `relevance_score`, `push_type`.
    def start_activities(topic, attributes_type, **options)
      given = checked(:start_activities, options, Words::KNOWN[:scope][:start_activities])
      answer = control.call(
        "POST", "/v1/activities",
        query: parameters({ "scope" => name, **given.slice("user") }),
        body: document({ "topic" => topic, "attributesType" => attributes_type, **given.except("user") })
      )
      record(StartedActivities, answer)
    end

    # Dismisses the Live Activities of this scope, of a `user` in it, or on a `channel`; gives how many.
    #
    # Options: `user`, `channel`.
    def dismiss_activities(**options)
      given = checked(:dismiss_activities, options, Words::KNOWN[:scope][:dismiss_activities])
      answer = control.call("DELETE", "/v1/activities", query: parameters({ "scope" => name, **given }))
      answer["removed"]["activities"]
    end

    # The rule with this id, in whatever scope; an error with status 404 for an unknown one.
    def find_fault(id)
      answer = control.call("GET", "/v1/faults/#{segment(id)}")
      record(Fault, answer)
    end

    # The rules in force by filters.
    #
    # Options: `scope`, `order`, `limit`, `cursor`, `fault`, `name`, `enabled`, `fired`, `event`, `action`.
    def faults(**options)
      given = checked(:faults, options, Words::KNOWN[:scope][:faults])
      answer = control.call("GET", "/v1/faults", query: parameters({ "limit" => LIST_MAX, "scope" => name, **given }))
      page(Fault, answer)
    end

    # Removes rules by filters; gives how many.
    #
    # Options: `scope`, `fault`, `name`, `enabled`, `fired`, `event`, `action`.
    def remove_faults(**options)
      given = checked(:remove_faults, options, Words::KNOWN[:scope][:remove_faults])
      answer = control.call("DELETE", "/v1/faults", query: parameters({ "scope" => name, **given }))
      answer["removed"]["faults"]
    end

    # Ends a scenario of this scope, and removes its rules; gives how many of each kind.
    def remove_scenario(name)
      answer = control.call("DELETE", "/v1/scenarios/#{segment(name)}", query: parameters({ "scope" => self.name }))
      numbers(answer["removed"])
    end

    # Sends a push to a device or a channel over TLS and HTTP/2, as a provider does, and gives its answer.
    #
    # Options: `token`, `channel`, `topic`, `push_type`, `priority`, `expiration`, `collapse_id`, `apns_id`, `payload`,
    # `payload_base64`, `environment`, `timeout`.
    def send(**options)
      given = checked(:send, options, Words::KNOWN[:scope][:send])
      answer = control.call("POST", "/v1/notifications", body: document(given))
      record(SentNotification, answer)
    end

    # The pushes in the journal by filters, oldest first; with `wait`, once `count` match or with `timed_out`.
    #
    # Options: `scope`, `q`, `wait`, `count`, `after`, `order`, `limit`, `cursor`, `token`, `device`, `topic`,
    # `channel`, `team`, `key_id`, `apns_id`, `unique_id`, `collapse_id`, `push_type`, `priority`, `environment`,
    # `connection`, `kind`, `status`, `reason`, `outcome`, `shown`, `sounded`, `fault`, `has`, `since`, `until`, `text`,
    # `payload`, `screen`, `web_push`.
    def notifications(**options)
      given = checked(:notifications, options, Words::KNOWN[:scope][:notifications])
      answer = control.call(
        "GET", "/v1/notifications",
        query: parameters({ "limit" => LIST_MAX, "scope" => name, **given })
      )
      page(Notification, answer)
    end

    # A push by its sequence number, its apns-id (the latest one that has it) or its apns-unique-id.
    def notification(id)
      answer = control.call("GET", "/v1/notifications/#{segment(id)}")
      record(Notification, answer)
    end

    # Removes a push, by what `notification` takes; an error with status 404 if the journal hasn't got it.
    def remove_notification(id)
      control.call("DELETE", "/v1/notifications/#{segment(id)}")
      nil
    end

    # Removes pushes from the journal by filters; gives how many.
    #
    # Options: `scope`, `q`, `token`, `device`, `topic`, `channel`, `team`, `key_id`, `apns_id`, `unique_id`,
    # `collapse_id`, `push_type`, `priority`, `environment`, `connection`, `kind`, `status`, `reason`, `outcome`,
    # `shown`, `sounded`, `fault`, `has`, `since`, `until`, `text`, `payload`, `screen`, `web_push`.
    def remove_notifications(**options)
      given = checked(:remove_notifications, options, Words::KNOWN[:scope][:remove_notifications])
      answer = control.call("DELETE", "/v1/notifications", query: parameters({ "scope" => name, **given }))
      answer["removed"]["notifications"]
    end

    # What happens, as it happens, by filters and kinds (`event`); with `after` later events than this come first.
    #
    # Options: `scope`, `q`, `event`, `after`, `token`, `device`, `topic`, `channel`, `team`, `key_id`, `apns_id`,
    # `unique_id`, `collapse_id`, `push_type`, `priority`, `environment`, `connection`, `kind`, `status`, `reason`,
    # `outcome`, `shown`, `sounded`, `fault`, `has`, `since`, `until`, `text`, `payload`, `screen`, `web_push`.
    def events(**options, &block)
      given = checked(:events, options, Words::KNOWN[:scope][:events])
      query = parameters({ "scope" => name, **given })
      control.events("/v1/events", query, &block)
    end
  end
end
