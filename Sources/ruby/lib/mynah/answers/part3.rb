# frozen_string_literal: true

# Made by Sources/helpers/generate.py: change that, or what the program says.
require_relative "../record"

module Mynah
  # `Wake` of the API.
  class Wake < Record
    member :topic
    member :sequence
    member :at, Time
    member :state
    member :result
    member :ended_at, Time
  end
end
