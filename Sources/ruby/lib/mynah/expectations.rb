# frozen_string_literal: true

require "json"
require_relative "errors"
require_relative "notification"

module Mynah
  # The result of an expectation; as text like the output of `mynah expect`.
  class ExpectationResult < ExpectationResultMembers
    # The most characters of a value in a message.
    VALUE_CHARACTERS = 400
    # How much of a device's id a message shows.
    DEVICE_CHARACTERS = 24
    # The time of the day in a time of the API.
    CLOCK = (11...23).freeze
    # Control characters, and those that change the direction of writing.
    HARMFUL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/.freeze

    def initialize(document, expectation)
      super(document)
      @expectation = expectation
    end

    # The only push that matched.
    def push
      raise MissingError, "#{matched} pushes matched: expected one" unless matched == 1

      items.first
    end

    def to_s
      lines = [verdict]
      lines << "step #{failed_at} of inOrder has no push" unless met || failed_at.nil?
      lines += nearest.flat_map { |near| near_lines(near) }
      [*lines, *hints.map { |hint| "hint: #{printable(hint)}" }].join("\n")
    end

    private

    def verdict
      pushes = matched == 1 ? "1 push matched" : "#{matched} pushes matched"
      unless items.empty?
        pushes += ": #{items.map(&:sequence).join(", ")}"
        pushes += ", …" if matched > items.size
      end
      met ? "met: #{pushes}" : "unmet: #{pushes}; expected #{wanted}"
    end

    # What was expected: `at least 1 within 5s`.
    def wanted
      within = @expectation.fetch("within", "5s")
      settle = @expectation["settle"]
      steps = @expectation.fetch("inOrder", [])
      quiet = settle.nil? ? "" : ", and then #{settle} of quiet"
      return "#{steps.size} in order within #{within}" unless steps.empty?

      count = @expectation.fetch("count", {})
      most = count["exactly"] || count["max"]
      least = count["exactly"] || count["min"] || (most.nil? ? 1 : 0)
      (least.zero? ? range(least, most) : "#{range(least, most)} within #{within}") + quiet
    end

    def range(least, most)
      return "none" if most == 0 # rubocop:disable Style/NumericPredicate -- it may be nil
      return "exactly #{least}" if least == most
      return "at least #{least}" if most.nil?

      least.zero? ? "at most #{most}" : "#{least} to #{most}"
    end

    def near_lines(near)
      push = near.push
      answer = [push.status, push.outcome].compact.join(" ")
      at = push["receivedAt"][CLOCK]
      facts = ["push #{push.sequence}", at, answer, push.topic, push.device&.slice(0, DEVICE_CHARACTERS)]
      heading = facts.compact.map { |fact| printable(fact) }.join(", ")
      differences = near.differences.flat_map do |one|
        field = printable(one.field)
        ["  - #{field} #{value_text(one.expected)}", "  + #{field} #{value_text(one.actual)}"]
      end
      ["near miss: #{heading} (- expected, + actual)", *differences]
    end

    def value_text(value)
      text = JSON.generate(value)
      return printable(text) if text.size <= VALUE_CHARACTERS

      printable("#{text[0, VALUE_CHARACTERS]}… (#{text.size} characters)")
    end

    def printable(text)
      text.to_s.gsub(HARMFUL, " ")
    end
  end
end
