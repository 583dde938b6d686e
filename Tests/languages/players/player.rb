# frozen_string_literal: true

# Plays vectors with the Ruby package: reads a command a line, and answers with a line, as `README.md` says.
require "json"
require "mynah"

# The objects of a vector, by their names.
class Player
  ERRORS = { Mynah::Error => "MynahError" }.freeze
  CAUGHT = [Mynah::Error, Mynah::ArgumentError, Mynah::MissingError, Mynah::UnmetError].freeze

  def initialize
    @objects = {}
  end

  def play(command)
    kind, *rest = command.values_at("do", "on", "call", "arguments", "options", "saved", "take")
    case kind
    when "connect" then connect(command["url"], command["name"])
    when "call" then call(*rest)
    when "read" then return { values: command["paths"].to_h { |path| [path, shown(find(path))] } }
    else raise "unknown command #{kind}"
    end
    {}
  rescue *CAUGHT => error
    { error: error_of(error) }
  end

  private

  def connect(url, name)
    server = Mynah.connect(url)
    @objects = { "server" => server, "mynah" => server.scope(name) }
  end

  def call(place, name, positional, options, saved, take)
    named = options.to_h { |option, value| [Mynah::Documents.ruby_name(option).to_sym, given(value)] }
    result = find(place).public_send(Mynah::Documents.ruby_name(name), *given(positional), **named)
    result = result.first(take) unless take.nil?
    @objects[saved] = result unless saved.nil?
  end

  # An object, or what is in it: `phone/registrations/0/topic`.
  def find(path)
    first, *rest = path.split("/")
    rest.reduce(@objects.fetch(first)) do |value, name|
      ruby = Mynah::Documents.ruby_name(name)
      case value
      when Hash then value.fetch(name) { value.fetch(ruby.to_sym) }
      when Array then value.fetch(Integer(name))
      when Mynah::ExpectationResult then name == "text" ? value.to_s : value.public_send(ruby)
      else value.public_send(ruby)
      end
    end
  end

  # An argument: `{"$": path}` stands for an object.
  def given(value)
    case value
    when Array then value.map { |one| given(one) }
    when Hash then value.key?("$") ? find(value["$"]) : value.transform_values { |one| given(one) }
    else value
    end
  end

  # A value as JSON.
  def shown(value)
    case value
    when Time then value.getutc.iso8601(Mynah::Documents::MILLISECONDS)
    when Hash then value.transform_values { |one| shown(one) }
    when Array then value.map { |one| shown(one) }
    when Mynah::Record then value.to_h
    else value
    end
  end

  def error_of(error)
    kind = ERRORS.fetch(error.class) { error.class.name.split("::").last }
    told = { kind: kind, message: error.message }
    return told unless error.is_a?(Mynah::ControlError)

    told.merge(status: error.status, field: error.field, allowed: error.allowed, type: error.type)
  end
end

$stdout.sync = true
player = Player.new
$stdin.each_line { |line| puts JSON.generate(player.play(JSON.parse(line))) }
