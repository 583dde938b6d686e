# frozen_string_literal: true

require "rspec/core"
require_relative "../mynah"

module Mynah
  # A scope for each example: for groups with the tag `:mynah`, or by `include Mynah::RSpec`.
  module RSpec
    # Fails with the nearest pushes unless pushes come as `Scope#expect` says.
    class HavePush
      def initialize(options)
        @options = options
      end

      def matches?(mynah)
        met?(mynah, @options)
      end

      def does_not_match?(mynah)
        met?(mynah, { max: 0, **@options })
      end

      def description
        "have a push with #{@options.inspect}"
      end

      def failure_message
        @result.to_s
      end
      alias failure_message_when_negated failure_message

      private

      def met?(mynah, options)
        @result = mynah.check(**options)
        @result.met
      end
    end
    private_constant :HavePush

    def self.included(group)
      super
      group.after { @mynah&.remove }
    end

    # The scope of this example, which is removed at its end.
    def mynah
      @mynah ||= Mynah.open_scope(::RSpec.current_example.full_description)
    end

    # `expect(mynah).to have_push(topic: "com.example.app")`; takes what `Scope#expect` takes.
    def have_push(**options)
      HavePush.new(options)
    end
  end
end

RSpec.configure { |config| config.include Mynah::RSpec, :mynah }
