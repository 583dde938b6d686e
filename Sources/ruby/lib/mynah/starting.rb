# frozen_string_literal: true

require "io/wait"
require "securerandom"
require "tmpdir"
require_relative "child"
require_relative "place"
require_relative "server"

# An APNs on localhost, and assertions on the pushes that it received.
module Mynah
  PORTS = (1..65_535).freeze
  # The longest name of a scope, and how much of it makes it unique.
  SCOPE_CHARACTERS = 64
  UNIQUE_CHARACTERS = 12
  private_constant :PORTS, :SCOPE_CHARACTERS, :UNIQUE_CHARACTERS

  @lock = Mutex.new

  class << self
    # A server that was started elsewhere: by `mynah exec`, in a container, by hand.
    #
    # `host` and `port` are for pushes, if they differ from the URL's host and the port that the server binds, as a
    # container's published port does.
    def connect(url, token: nil, host: nil, port: nil)
      Server.new(Place.new(ControlAPI.new(url, token: token), host: host, port: port))
    end

    # The server at `MYNAH_URL`, which `mynah exec` sets.
    #
    # Also reads `MYNAH_CONTROL_TOKEN`, `MYNAH_APNS_HOST` and `MYNAH_APNS_PORT`.
    def connect_from_environment(variables = ENV)
      # Docker leaves the CR of a file of variables with Windows' line ends.
      names = %w[MYNAH_URL MYNAH_CONTROL_TOKEN MYNAH_APNS_HOST MYNAH_APNS_PORT]
      url, token, host, port = names.map do |name|
        value = variables[name].to_s.strip
        value unless value.empty?
      end
      if url.nil?
        raise Error, "MYNAH_URL is not set: expected the URL of a control API, as `mynah exec` sets it"
      end

      connect(url, token: token, host: host, port: port_of(port))
    end

    # Starts a server on free ports: with `settings` like `devices: "strict"`, the flags of `mynah serve`. With a block,
    # the server ends with it.
    #
    # `binary` is the program, by default `MYNAH_BINARY` or `mynah` on the `PATH`; `folder` is where the server keeps
    # its keys, by default one that is removed at the end; of the variables `MYNAH_…` it gets only those in `variables`.
    # The server ends with this process, if it isn't closed before.
    def start_server(binary: nil, folder: nil, variables: {}, **settings)
      arguments = flags_of(settings)
      program = (binary || find_binary).to_s
      home = folder.nil? ? Dir.mktmpdir("mynah-ruby-") : File.expand_path(folder)
      FileUtils.mkdir_p(home)
      command = ["exec", "--state-dir", File.join(home, "state"), *arguments, "--", *Child::COMMAND]
      child = Child.new(program, command, environment(home, variables), home, is_temporary: folder.nil?)
      server = served(child, settings[:control_token] || variables["MYNAH_CONTROL_TOKEN"])
      return server unless block_given?

      begin
        yield server
      ensure
        server.close
      end
    end

    # The server of this process' tests: the one at `MYNAH_URL`, or one that is started at the first call.
    def shared_server
      @lock.synchronize { @shared_server ||= ENV["MYNAH_URL"].to_s.empty? ? start_server : connect_from_environment }
    end

    # A scope of its own for one test, with a readable name. With a block, it is removed at its end.
    def open_scope(name = "", server: shared_server)
      unique = SecureRandom.hex(UNIQUE_CHARACTERS / 2)
      readable = name.to_s.gsub(/[^A-Za-z0-9._-]+/, "-")[0, SCOPE_CHARACTERS - UNIQUE_CHARACTERS - 1]
      scope = server.scope(readable.empty? ? unique : "#{readable}-#{unique}")
      return scope unless block_given?

      begin
        yield scope
      ensure
        scope.remove
      end
    end

    private

    def port_of(text)
      if text.to_s.include?("://")
        warn "ignored MYNAH_APNS_PORT=#{text}, which Kubernetes or a container link set for a service"
        return nil
      end
      return text&.to_i if text.nil? || (text.match?(/\A\d+\z/) && PORTS.cover?(text.to_i))

      raise Error, "invalid MYNAH_APNS_PORT=#{text}: expected a port from #{PORTS.begin} to #{PORTS.end}"
    end

    def served(child, token)
      url, host, port = child.ready
      Server.new(Place.new(ControlAPI.new(url, token: token), host: host, port: port.to_i, child: child))
    rescue StandardError
      child.abandon
      raise
    end

    # The variables of the server: none of this process' `MYNAH_…`, and a home without the user's mynah.yaml.
    def environment(home, variables)
      none = ENV.keys.grep(/\AMYNAH_/).to_h { |name| [name, nil] }
      none.merge("HOME" => home, "XDG_RUNTIME_DIR" => home, **variables.transform_keys(&:to_s))
    end

    # The program: `MYNAH_BINARY`, or `mynah` on the `PATH`.
    def find_binary
      chosen = ENV["MYNAH_BINARY"].to_s
      return named_binary(chosen) unless chosen.empty?

      folders = ENV["PATH"].to_s.split(File::PATH_SEPARATOR).reject(&:empty?)
      found = folders.map { |folder| File.join(folder, "mynah") }.find { |file| program?(file) }
      return File.expand_path(found) unless found.nil?

      raise StartError, "mynah is not on the PATH: set MYNAH_BINARY to the program, or MYNAH_URL to a running server"
    end

    def named_binary(file)
      return File.expand_path(file) if program?(file)

      raise StartError, "MYNAH_BINARY=#{file} is not executable: expected the program mynah"
    end

    def program?(file)
      File.file?(file) && File.executable?(file)
    end

    # Settings as flags of the program.
    def flags_of(settings)
      settings.flat_map do |name, value|
        unless Words::SETTINGS.include?(name.to_s)
          hint = Documents.hint_for(name, Words::SETTINGS + %w[binary folder variables])
          raise ArgumentError, "start_server: unknown keyword: #{name}; #{hint}"
        end
        flag = "--#{name.to_s.tr("_", "-")}"
        next value ? [flag] : [] if Words::SWITCHES.include?(name.to_s)

        Array(value).flat_map { |one| [flag, setting(one)] }
      end
    end

    def setting(value)
      { true => "on", false => "off" }.fetch(value, value.to_s)
    end
  end
end
