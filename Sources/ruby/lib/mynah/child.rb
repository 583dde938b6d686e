# frozen_string_literal: true

require "fileutils"
require_relative "errors"

module Mynah
  # A `mynah exec` whose command waits for the end of its input.
  class Child
    # A machine may stand still for a minute; a process that ends is known at once.
    READY_SECONDS = 120
    STOP_SECONDS = 120
    # Of one read of its output.
    READ_BYTES = 1024
    # Tells where the server is, and stays until this process ends or closes its end of the pipe.
    COMMAND = ["sh", "-c", 'echo "mynah ready $MYNAH_URL $MYNAH_APNS_HOST $MYNAH_APNS_PORT"; exec cat'].freeze

    # The lines of its log.
    attr_reader :errors

    def initialize(program, arguments, variables, folder, is_temporary:)
      @arguments = arguments
      @folder = folder if is_temporary
      @owner = Process.pid
      @errors = []
      input, @input = IO.pipe
      @output, output = IO.pipe
      error_output, errors = IO.pipe
      @pid = spawned(program, variables, folder, in: input, out: output, err: errors)
      [input, output, errors].each(&:close)
      @ended = Process.detach(@pid)
      @reader = Thread.new { error_output.each_line(chomp: true) { |line| @errors << line } }
      @reader.report_on_exception = false
      at_exit { stop }
    rescue StandardError
      remove_folder
      raise
    end

    # What its first line says behind `mynah ready`.
    def ready
      line = first_line(Process.clock_gettime(Process::CLOCK_MONOTONIC) + READY_SECONDS)
      return line.split.drop(2) if line&.start_with?("mynah ready ")

      raise StartError, "mynah did not say that it is ready within #{READY_SECONDS} s\n#{log}" if line.nil?

      raise StartError, "mynah #{ending}\n#{log}"
    end

    # Ends it; an error if it has ended already, or ends with another code than 0.
    def stop
      # The copy of a process has no child, and a server is ended once.
      return if @owner != Process.pid || @is_stopped

      @is_stopped = true
      @input.close
      is_late = @ended.join(STOP_SECONDS).nil?
      kill if is_late
      @reader.join(STOP_SECONDS)
      remove_folder
      raise Error, "mynah did not end within #{STOP_SECONDS} s\n#{log}" if is_late
      raise Error, "mynah #{ending}\n#{log}" unless @ended.value.success?
    end

    # Ends it in whatever way.
    def abandon
      @is_stopped = true
      kill
      @input.close
      remove_folder
    end

    private

    def spawned(program, variables, folder, **streams)
      Process.spawn(variables, program, *@arguments, chdir: folder, **streams)
    rescue SystemCallError => error
      raise StartError, "#{program} cannot be run: #{error.message}"
    end

    # The first line of its output, what there is of it at its end, or nil when the time is over.
    def first_line(until_time)
      text = +""
      until text.include?("\n")
        left = until_time - Process.clock_gettime(Process::CLOCK_MONOTONIC)
        return nil if left <= 0 || @output.wait_readable(left).nil?

        text << @output.read_nonblock(READ_BYTES)
      end
      text[/\A.*/]
    rescue EOFError
      text
    end

    def ending
      status = @ended.value
      @reader.join(STOP_SECONDS)
      "ended with #{status.signaled? ? "signal #{status.termsig}" : status.exitstatus}"
    end

    def kill
      Process.kill(:KILL, @pid) if @ended.alive?
      @ended.join
    end

    def remove_folder
      FileUtils.rm_rf(@folder) unless @folder.nil?
      @folder = nil
    end

    def log
      ["--- mynah #{@arguments.join(" ")}", *@errors, "---"].join("\n")
    end
  end
  private_constant :Child
end
