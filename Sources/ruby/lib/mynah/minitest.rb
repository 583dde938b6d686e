# frozen_string_literal: true

require "minitest"
require_relative "../mynah"

module Mynah
  # A scope for each test: `include Mynah::Minitest` in a class of tests, also in Rails and in specs.
  module Minitest
    # A failure is shown where the test is, and not here.
    HERE = __dir__
    private_constant :HERE

    # The scope of this test, which is removed at its end.
    def mynah
      @mynah ||= Mynah.open_scope("#{self.class.name}-#{name}")
    end

    # Fails with the nearest pushes unless pushes come as `Scope#expect` says; gives the result.
    def assert_push(**options)
      self.assertions += 1
      mynah.expect(**options)
    end

    # Fails if a push matches, within 5 s or `within`.
    def refute_push(**options)
      assert_push(max: 0, **options)
    end

    # Minitest's own hook, so that a test's `teardown` need not call this.
    def after_teardown
      super
    ensure
      @mynah&.remove
    end

    # Makes what a wait expected in vain a failure, and not an error, in Minitest's reports.
    def capture_exceptions(&block)
      super do
        block.call
      rescue UnmetError => error
        raise ::Minitest::Assertion, error.message, error.backtrace.drop_while { |line| line.start_with?(HERE) }
      end
    end
  end
end
