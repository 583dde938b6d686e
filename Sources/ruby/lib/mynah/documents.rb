# frozen_string_literal: true

require "did_you_mean"
require "json"
require "set"
require "time"
require_relative "errors"
require_relative "words"

module Mynah
  # Converts names, times, durations and filters to the control API's form, and answers to records.
  module Documents
    # The most items of one list.
    LIST_MAX = 1000
    # Filters whose values have JSON pointers as keys.
    POINTER_FILTERS = %w[payload screen webPush].freeze
    # Stands behind the name of a filter in a URL whose value is a part of the field's text.
    PART_MARK = "~"
    MILLISECONDS = 3
    # Those of a part of a path or a query that stay as they are.
    UNESCAPED = /[^A-Za-z0-9\-._~]/n.freeze

    module_function

    # `apns_id` as the API writes it: `apnsId`.
    def api_name(name)
      name.to_s.gsub(/_([a-z0-9])/) { Regexp.last_match(1).upcase }
    end

    # `apnsId` as Ruby writes it: `apns_id`.
    def ruby_name(name)
      name.to_s.gsub(/(?<=[a-z0-9])([A-Z])/) { "_#{Regexp.last_match(1).downcase}" }
    end

    # A duration in the API's form; a bare number is an error, because it has no unit.
    def duration(value)
      return value if value.is_a?(String)

      raise ArgumentError, "wrong duration #{value.inspect}: expected a text with a unit (\"5s\", \"250ms\", \"1h30m\")"
    end

    # A value for JSON. Symbols as names are those of the API in Ruby's case; other names stay as they are.
    def plain(value)
      case value
      when Time then value.getutc.iso8601(MILLISECONDS)
      when Hash then value.to_h { |name, one| member(name, one) }
      when Array, Set then value.map { |one| plain(one) }
      when Symbol then value.to_s
      when Record then value.to_h
      else value
      end
    end

    def member(name, value)
      api = name.is_a?(Symbol) ? api_name(name) : name.to_s
      [api, Words::FREE.include?(api) ? as_it_is(value) : plain(value)]
    end

    # JSON of the caller's own, in which no name is the API's.
    def as_it_is(value)
      case value
      when Hash then value.to_h { |name, one| [name.to_s, as_it_is(one)] }
      when Array, Set then value.map { |one| as_it_is(one) }
      else plain(value)
      end
    end

    # Arguments as a JSON object; without a scope it is for the whole server.
    def document(values)
      plain(values.reject { |name, value| name == "scope" && value.nil? })
    end

    # Values without those that weren't given.
    def known(values)
      values.compact
    end

    # Filters as a `match` of the API; nil is an error, because ignoring it would match more than is meant.
    def match_of(filters)
      filters.each do |name, value|
        next unless value.nil?

        hint = "expected a value, or { exists: false } for pushes without one"
        raise ArgumentError, "wrong filter #{ruby_name(name)}: nil: #{hint}"
      end
      plain(filters.transform_keys { |name| api_name(name) })
    end

    # Values as parameters of a URL: an array matches any of its values, `{ not: value }` all others,
    # `{ contains: text }` a part of the field's text.
    def parameters(values)
      given = values.reject { |name, value| name == "scope" && value.nil? }
      match_of(given).flat_map do |name, value|
        # No condition at all would select everything.
        raise ArgumentError, "wrong filter #{ruby_name(name)}: {}: expected a condition in it" if value == {}

        next parameter(name, value) unless POINTER_FILTERS.include?(name) && value.is_a?(Hash)

        value.flat_map { |pointer, one| parameter("#{name}.#{pointer}", one) }
      end
    end

    def parameter(name, value)
      if value.is_a?(Hash)
        return parameter("!#{name}", value["not"]) if value.keys == ["not"]
        return parameter("#{name}#{PART_MARK}", value["contains"]) if value.keys == ["contains"]

        hint = "expected a value, { contains: … } or { not: … }; only expect has the other matchers"
        raise ArgumentError, "wrong filter #{ruby_name(name)}: #{JSON.generate(value)}: #{hint}"
      end
      raise ArgumentError, "wrong filter #{ruby_name(name)}: []: expected a value in it" if value == []

      Array(value.nil? ? [nil] : value).map { |one| [name, one.is_a?(String) ? one : JSON.generate(one)] }
    end

    # The keyword arguments of a call by the API's names, after checking that they are known.
    def checked(call, options, names)
      options.to_h do |name, value|
        api = api_name(name)
        next [api, value] if names.include?(api)

        words = names.map { |one| ruby_name(one) }
        raise ArgumentError, "#{call}: unknown keyword: #{name}; #{hint_for(name, words)}"
      end
    end

    # What may have been meant by a word.
    def hint_for(word, words, all = words.sort.join(", "))
      near = DidYouMean::SpellChecker.new(dictionary: words).correct(word.to_s).first
      near.nil? ? "expected #{all}" : "did you mean #{near.inspect}?"
    end

    # A part of a path, or of a query; a record stands for its member.
    def segment(value, member = nil)
      part = member && value.respond_to?(member) ? value.public_send(member) : value
      part.to_s.b.gsub(UNESCAPED) { |byte| format("%%%02X", byte.ord) }
    end

    # The settings of a new device that has apps.
    def with_apps(topics, settings)
      apps = topics.flatten.map { |topic| { "topic" => topic } }
      settings.merge("registrations" => [*apps, *settings["registrations"]])
    end

    def time(text)
      text && Time.iso8601(text)
    end

    # How many of each kind.
    def numbers(answer)
      answer.to_h { |name, one| [ruby_name(name).to_sym, one] }.freeze
    end
  end

  # Makes records of the answers of an object's control API.
  module Answers
    private

    def record(kind, answer)
      kind.new(answer, control)
    end

    def list(kind, answer)
      answer["items"].map { |one| kind.new(one, control) }.freeze
    end

    def page(kind, answer)
      Page.new(answer, list(kind, answer))
    end
  end
end
