# frozen_string_literal: true

require_relative "answers"

module Mynah
  # A push, accepted or refused, with its outcome.
  class Notification < NotificationMembers
    # The first value of a header, by its name in lower case.
    def header(name)
      headers.assoc(name)&.last
    end
  end
end
