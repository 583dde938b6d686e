# frozen_string_literal: true

require_relative "documents"

module Mynah
  # What the control API answers: a value with a reader for each member; times are `Time`.
  #
  # `to_h` is the answer itself, with the API's names. Readers and patterns have Ruby's: `in { status: 410 }`.
  class Record
    class << self
      # The members by their names in Ruby: the API's name, and the kind of the value.
      def members
        @members ||= superclass.respond_to?(:members) ? superclass.members.dup : {}
      end

      private

      def member(name, kind = nil, at: Documents.api_name(name))
        members[name] = [at, kind]
        define_method(name) { value_of(kind, @document[at]) }
      end
    end

    attr_reader :to_h

    def initialize(document, control = nil)
      @document = @to_h = document
      @control = control
    end

    # A member by its name in the API.
    def [](name)
      @document[name.to_s]
    end

    def deconstruct_keys(names)
      (names || self.class.members.keys).select { |name| self.class.members.key?(name) }.to_h do |name|
        at, kind = self.class.members[name]
        [name, value_of(kind, @document[at])]
      end
    end

    def ==(other)
      other.class == self.class && other.to_h == to_h
    end
    alias eql? ==

    def hash
      [self.class, @document].hash
    end

    def inspect
      "#<#{self.class.name} #{@document.map { |name, value| "#{name}: #{value.inspect}" }.join(", ")}>"
    end

    private

    attr_reader :control

    def value_of(kind, value)
      return value if kind.nil? || value.nil?
      return Time.iso8601(value) if kind == Time
      return value.map { |one| value_of(kind.first, one) } if kind.is_a?(Array)
      return value.transform_values { |one| value_of(kind[:any], one) } if kind.is_a?(Hash)

      Mynah.const_get(kind).new(value, control)
    end
  end

  # A part of a list.
  class Page
    include Enumerable

    # The items of this part.
    attr_reader :items
    # How many there are in all.
    attr_reader :matched
    # Where the next part begins; nil for the last one.
    attr_reader :next_cursor
    # Whether the time of a wait was over.
    attr_reader :timed_out
    attr_reader :evicted, :last_sequence

    def initialize(answer, items)
      @items = items
      @matched, @next_cursor, @timed_out, @evicted, @last_sequence =
        answer.values_at("matched", "nextCursor", "timedOut", "evicted", "lastSequence")
    end

    def each(&block)
      items.each(&block)
    end

    # The item at a place, or the items of a range.
    def [](place)
      items[place]
    end

    def size
      items.size
    end
  end

  # An event of a stream: its kind, its id, and the JSON that it has.
  Event = Struct.new(:event, :id, :data)
end
