# frozen_string_literal: true

require_relative "calls/device"

module Mynah
  # A snapshot of a device, with the members of the API; methods that change the device give a new one.
  class Device < DeviceMembers
    include DeviceCalls
    include Answers

    # The token of its only app; for several, see `token_of`.
    def token
      topics = registrations.map(&:topic).uniq
      return token_of(topics.first) if topics.size == 1

      raise MissingError, "device #{id} has #{topics.size} apps: use token_of with one of #{topics.sort.inspect}"
    end

    # The present token of an app.
    def token_of(topic)
      apps = registrations.select { |app| app.topic == topic }
      token = apps.map(&:token).compact.last
      return token unless token.nil?

      why = apps.empty? ? "it has no app #{topic}" : "its app #{topic} is #{apps.last.state}"
      raise MissingError, "device #{id} has no token: #{why}"
    end

    # The arrivals, once there are `count`; an `UnmetError` if that takes longer than `within`.
    def wait(count: 1, within: "5s", kind: nil)
      page = inbox(wait: duration(within), count: count, **{ kind: kind }.compact)
      return page unless page.timed_out

      what = kind.nil? ? "pushes" : "pushes of kind #{kind}"
      told = "#{page.matched} #{what} arrived on #{id} within #{within}"
      raise UnmetError, "#{told}, expected #{count}: #{page.map(&:sequence).inspect}"
    end

    # Removes the notifications of all apps, or of the app `topic`, as that app or the user does, and gives how many.
    #
    # With `identifiers`, collapse ids or apns-ids, only those.
    def clear(topic: nil, identifiers: nil)
      return 0 if identifiers && identifiers.empty?

      query = parameters(known("topic" => topic, "identifier" => identifiers))
      control.delete("/v1/devices/#{segment(id)}/screen", query)["removed"]["notifications"]
    end

    # Sets the number on an app's icon, as the app does; 0 removes it.
    def set_badge(topic, badge) # rubocop:disable Naming/AccessorMethodName -- of an app, not of the device
      control.patch("/v1/devices/#{segment(id)}/screen", { "badges" => { topic => badge } })
      nil
    end
  end
end
