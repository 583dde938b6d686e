# frozen_string_literal: true

# Made by Sources/helpers/generate.py: change that, or what the program says.
require_relative "../answers"
require_relative "../documents"
require_relative "../words"

module Mynah
  # The calls of `fault` that are one request each.
  module FaultCalls
    include Documents

    # A new snapshot of the rule.
    def refresh
      answer = control.call("GET", "/v1/faults/#{segment(id)}")
      record(Fault, answer)
    end

    # Changes members of the rule; gives the changed rule.
    #
    # Options: `name`, `scope`, `enabled`, `rule_priority`, `match`, `skip`, `times`, `every`, `probability`,
    # `connections`, `keys`, `rate_over`, `active_from`, `active_until`, `action`, `actions`, `then`.
    def change(**options)
      given = checked(:change, options, Words::KNOWN[:fault][:change])
      answer = control.call("PATCH", "/v1/faults/#{segment(id)}", body: document(given))
      record(Fault, answer)
    end

    # Removes the rule.
    def remove
      control.call("DELETE", "/v1/faults/#{segment(id)}")
      nil
    end
  end
end
