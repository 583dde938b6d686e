# frozen_string_literal: true

# Made by Sources/helpers/generate.py: change that, or what the program says.
require_relative "../answers"
require_relative "../documents"
require_relative "../words"

module Mynah
  # The calls of `clock` that are one request each.
  module ClockCalls
    include Documents

    # The present time.
    def now
      answer = control.call("GET", "/v1/clock", query: parameters({ "scope" => scope }))
      time(answer["now"])
    end

    # `real`, `offset` or `frozen`.
    def mode
      answer = control.call("GET", "/v1/clock", query: parameters({ "scope" => scope }))
      answer["mode"]
    end

    # Freezes the clock, now or at a time.
    def freeze(at = nil)
      answer = control.call(
        "PUT", "/v1/clock",
        body: document({ "scope" => scope, **known("now" => at), "mode" => "frozen" })
      )
      record(ClockReport, answer)
    end

    # Lets the clock run again from its present time.
    def run
      answer = control.call("PUT", "/v1/clock", body: document({ "scope" => scope, "mode" => "offset" }))
      record(ClockReport, answer)
    end
  end
end
