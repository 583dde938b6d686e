# frozen_string_literal: true

require_relative "calls/clock"

module Mynah
  # The clock of a scope's devices: storage, expiry, budgets, screens. Trust and connections use the server's.
  class Clock
    include ClockCalls
    include Answers

    attr_reader :scope

    # Without a scope, the server's clock, which all tests share.
    def initialize(control, scope)
      @control = control
      @scope = scope
    end

    # Advances by a duration (`"2h"`), to a time, or to the next event due: `advance(to: "next")`.
    #
    # Everything due is in journals and inboxes when this is done.
    def advance(by = nil, to: nil)
      raise ArgumentError, "advance: expected a duration, or to: with a time" if by.nil? == to.nil?

      change = to.nil? ? { "by" => duration(by) } : { "to" => to }
      record(ClockReport, control.post("/v1/clock/advance", document({ **change, "scope" => scope })))
    end

    def inspect
      "#<#{self.class.name} #{scope || "of the server"}>"
    end

    private

    attr_reader :control
  end
end
