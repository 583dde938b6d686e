# frozen_string_literal: true

module Mynah
  # The server did not start, does not answer, or refused a call.
  class Error < StandardError; end

  # A server did not start; the message has its output.
  class StartError < Error; end

  # No control API answers at the address, or not one that this package knows.
  class UnavailableError < Error; end

  # A call with a wrong argument, which was not sent.
  class ArgumentError < ::ArgumentError; end

  # What was asked for is not there, or is not the only one.
  class MissingError < StandardError; end

  # What a wait expected did not happen in time.
  class UnmetError < StandardError; end

  # An unmet expectation; the message shows the nearest pushes.
  class ExpectationUnmet < UnmetError
    attr_reader :result

    def initialize(result)
      super(result.to_s)
      @result = result
    end
  end

  # The control API refused a call (`application/problem+json`).
  class ControlError < Error
    # The method and the path of the call.
    attr_reader :call
    attr_reader :status, :type, :title, :detail
    # A parameter's name, or a member's JSON pointer.
    attr_reader :field
    # The valid values, if they can be listed.
    attr_reader :allowed

    def initialize(call, status, problem)
      @call = call
      @status = status
      @type = problem["type"] || "about:blank"
      @title = problem["title"] || ""
      @detail = problem["detail"] || ""
      @field = problem["field"]
      @allowed = problem["allowed"] || []
      super(text)
    end

    private

    def text
      what = [field || title, detail].reject(&:empty?).join(": ")
      # Most details name them.
      is_named = allowed.all? { |value| detail.include?(value) }
      "#{call} was answered #{status}: #{what}#{" (allowed: #{allowed.join(", ")})" unless is_named}"
    end
  end
end
