# frozen_string_literal: true

require_relative "calls/fault"

module Mynah
  # A snapshot of a fault rule, with the members of the API.
  class Fault < FaultMembers
    include FaultCalls
    include Answers

    # The rule once it has fired `hits` times in all; an `UnmetError` if that takes longer than `within`.
    def wait(hits: 1, within: "5s")
      query = [["wait", duration(within)], ["hits", hits]]
      answer = control.get("/v1/faults/#{segment(id)}", query)
      return record(Fault, answer) unless answer["timedOut"]

      fired = "fault #{id} fired #{answer["fired"]} times within #{within}, expected #{hits}"
      raise UnmetError, "#{fired}; #{answer["matched"]} requests matched #{JSON.generate(answer["match"])}"
    end
  end

  # Actions of faults in the API's form.
  module Actions
    extend Documents

    module_function

    # An action: a status to answer with its usual reason, a preset, a reason, or the API's object.
    def action_of(action)
      case action
      when Integer then { "type" => "respond", "status" => action }
      when Hash then Documents.plain(action)
      else named(action.to_s)
      end
    end

    # One action with options of its own, or several in sequence, as members of a rule.
    def members_of(action, options)
      unless action.is_a?(Array) || action.is_a?(Hash)
        one = action_of(action)
        # The body and the debug data are in its place.
        one = one.except("reason") if options.key?("body") || options.key?("debug")
        return { "action" => one.merge(options) }
      end
      unless options.empty?
        hint = "expected as a member of the action's object, or with one preset or status alone"
        raise ArgumentError, "#{options.keys.map { |name| Documents.ruby_name(name) }.join(", ")}: #{hint}"
      end
      action.is_a?(Array) ? { "actions" => action.map { |one| action_of(one) } } : { "action" => action_of(action) }
    end

    # A preset or a reason; one that is a symbol has underscores: `:bad_certificate`.
    def named(name)
      preset = Words::PRESETS[name] || Words::PRESETS[name.tr("_", "-")]
      return preset if preset
      return { "type" => "respond", "reason" => name } if Words::REASONS.include?(name)

      all = "#{Words::PRESETS.keys.join(", ")}, a reason of APNs, or the API's object"
      hint = Documents.hint_for(name, Words::PRESETS.keys + Words::REASONS, all)
      raise ArgumentError, "unknown preset or reason #{name.inspect}: #{hint}"
    end
  end
  private_constant :Actions
end
