# frozen_string_literal: true

require "fileutils"
require "tmpdir"
require_relative "errors"
require_relative "words"

module Mynah
  # Where a server is, what it trusts, and how it ends.
  class Place
    # A private key is its owner's.
    KEY_MODE = 0o600

    attr_reader :control, :host, :port, :ca, :key, :key_id, :team_id, :log_lines

    # Asks a server, which is an error if it isn't one of this version.
    def initialize(control, host: nil, port: nil, child: nil)
      status = control.get("/v1/status")
      raise UnavailableError, "the server at #{control.url} is not Mynah" unless mynah?(status)

      refuse_version(control.url, status["version"])
      @control = control
      @host = host || control.host
      @port = port || status["ports"]["apns"].first
      @ca, @key, @key_id, @team_id = control.get("/v1/credentials").values_at("ca", "key", "keyId", "teamId")
      @child = child
      @log_lines = child.nil? ? [] : child.errors
      @lock = Mutex.new
    end

    # A file with the CA.
    def ca_file
      File.join(files, "ca.pem")
    end

    # A file with the development key.
    def key_file
      File.join(files, "AuthKey_#{key_id}.p8")
    end

    # Stops the server if it was started here.
    def close
      @child&.stop
    end

    private

    def mynah?(status)
      status.is_a?(Hash) && status["name"] == "mynah"
    end

    def refuse_version(url, version)
      own = Words::VERSION
      return if release(version) == release(own)

      hint = "install version #{version} of the gem, or start mynah #{own}"
      raise UnavailableError, "the server at #{url} is mynah #{version}: expected #{own}, as this gem; #{hint}"
    end

    # The part of a version within which the API stays the same.
    def release(version)
      version.to_s.split(".").first(2)
    end

    # A folder with the files, which is made when it is needed and removed with this process.
    def files
      @lock.synchronize do
        @files ||= Dir.mktmpdir("mynah-ruby-").tap do |folder|
          owner = Process.pid
          at_exit { FileUtils.rm_rf(folder) if Process.pid == owner }
          File.write(File.join(folder, "ca.pem"), ca)
          File.write(File.join(folder, "AuthKey_#{key_id}.p8"), key, perm: KEY_MODE) unless key.nil?
        end
      end
    end
  end
  private_constant :Place
end
