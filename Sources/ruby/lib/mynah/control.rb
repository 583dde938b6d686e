# frozen_string_literal: true

require "json"
require "net/http"
require "uri"
require_relative "documents"
require_relative "errors"

module Mynah
  # The control API of one server; each call has its own connection, so any thread may make it at any time.
  class ControlAPI
    # The longest wait of a list, 60 s, and a minute in which the machine may stand still.
    ANSWER_SECONDS = 120
    # How much of an answer that isn't a problem document an error's message shows.
    SHOWN_CHARACTERS = 200
    PATH = %r{\A/[!-~]*\z}.freeze
    METHODS = {
      "GET" => Net::HTTP::Get, "POST" => Net::HTTP::Post, "PUT" => Net::HTTP::Put, "PATCH" => Net::HTTP::Patch,
      "DELETE" => Net::HTTP::Delete
    }.freeze
    TIMEOUTS = [Net::OpenTimeout, Net::ReadTimeout, Net::WriteTimeout, Errno::ETIMEDOUT].freeze
    ENDS = [EOFError, Errno::ECONNRESET, Errno::EPIPE, Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError].freeze
    FAILURES = [SystemCallError, SocketError, IOError, Net::ProtocolError].freeze

    # What the caller's block raises, which is not the server's doing.
    class CallersError < StandardError; end
    private_constant :CallersError

    # The status and the text of an answer.
    Answer = Struct.new(:status, :headers, :body)

    attr_reader :url, :host, :port

    # `token` is the bearer token of a server with `--control-token`.
    def initialize(url, token: nil)
      @url = url.to_s.sub(%r{/+\z}, "")
      place = parsed(url)
      @host = place.hostname
      @port = place.port
      @token = token
    end

    # The JSON of a call that must succeed, or its text if it isn't JSON; nil if the answer has no body.
    #
    # Raises a `ControlError` with field and detail if the call is refused, an `UnavailableError` if no server answers.
    def call(method, path, query: [], body: nil, timeout: ANSWER_SECONDS)
      result("#{method} #{path}", ask(method, path, query: query, body: body, timeout: timeout))
    end

    # One request, whatever the answer. `timeout` is in seconds, for each step, like each part of the answer.
    def ask(method, path, query: [], body: nil, headers: {}, timeout: ANSWER_SECONDS)
      open(method, path, query, body, headers, timeout) do |response|
        text = response.read_body.to_s
        length = response["content-length"]
        # `Net::HTTP` takes the end of the connection for the end of the answer.
        raise EOFError, "#{text.bytesize} of #{length} bytes" if length && text.bytesize < length.to_i

        Answer.new(response.code.to_i, response.to_hash, text.dup.force_encoding(Encoding::UTF_8))
      end
    end

    # The JSON of a GET; `query` has names and values, or pairs.
    def get(path, query = [])
      call("GET", path, query: query)
    end

    # The JSON of a POST.
    def post(path, body = nil, query = [])
      call("POST", path, query: query, body: body)
    end

    # The JSON of a PUT.
    def put(path, body = nil, query = [])
      call("PUT", path, query: query, body: body)
    end

    # The JSON of a PATCH.
    def patch(path, body = nil, query = [])
      call("PATCH", path, query: query, body: body)
    end

    # The JSON of a DELETE.
    def delete(path, query = [])
      call("DELETE", path, query: query)
    end

    # Yields the events of a stream, as they come; without a block, an enumerator of them. The connection closes with
    # the block: `break` ends it, like `first` of an enumerator.
    #
    # Raises a `ControlError` if the call is refused, an `UnavailableError` if the server can't be reached, or for
    # `timeout` seconds sends nothing, not even the comments between events.
    def events(path, query = [], timeout: ANSWER_SECONDS, &block)
      return enum_for(:events, path, query, timeout: timeout) if block.nil?

      open("GET", path, query, nil, {}, timeout) do |response|
        status = response.code.to_i
        result("GET #{path}", Answer.new(status, response.to_hash, response.read_body.to_s)) if status != 200
        each_block(response) { |text| event_of(text)&.then { |event| pass(event, block) } }
      end
    rescue CallersError => error
      raise error.cause
    end

    def inspect
      "#<#{self.class.name} #{url}>"
    end

    private

    def parsed(url)
      place = URI.parse(url.to_s)
      return place if place.instance_of?(URI::HTTP) && !place.hostname.to_s.empty?

      raise ArgumentError, wrong(url)
    rescue URI::InvalidURIError
      raise ArgumentError, wrong(url)
    end

    def wrong(url)
      "wrong control API #{url.to_s.inspect}: expected a URL like http://127.0.0.1:8197"
    end

    def open(method, path, query, body, headers, timeout, &block)
      unless PATH.match?(path)
        hint = "expected one that begins with / and is ASCII without spaces"
        raise ArgumentError, "wrong path #{path.inspect}: #{hint}"
      end
      request = request_of(method, target(path, query), body, headers)
      # No proxy, also if the environment names one.
      connection = Net::HTTP.new(host, port, nil)
      connection.open_timeout = connection.read_timeout = connection.write_timeout = timeout
      connection.max_retries = 0
      answered(connection, request, "#{method} #{path}", timeout, &block)
    end

    def answered(connection, request, call, timeout)
      result = nil
      connection.start { |http| http.request(request) { |response| result = yield response } }
      result
    rescue *TIMEOUTS
      raise UnavailableError, "#{call}: no answer from #{url} within #{timeout} s"
    rescue *ENDS => error
      raise UnavailableError, "#{call}: the connection to #{url} ended before the answer did: #{error.message}"
    rescue *FAILURES => error
      raise UnavailableError, "no mynah at #{url}: #{error.message}; `mynah serve` starts one"
    end

    def target(path, query)
      pairs = query.is_a?(Hash) ? Documents.parameters(query) : query
      written = pairs.map { |pair| pair.map { |part| Documents.segment(part) }.join("=") }.join("&")
      written.empty? ? path : "#{path}?#{written}"
    end

    def request_of(method, target, body, headers)
      own = { "accept" => "*/*", "accept-encoding" => "identity", "connection" => "close" }
      own["authorization"] = "Bearer #{@token}" if @token
      request = METHODS.fetch(method).new(target, own.merge(headers))
      if body.nil?
        request.body = "" if request.request_body_permitted? && method != "DELETE"
      else
        request["content-type"] = "application/json"
        request.body = JSON.generate(Documents.plain(body))
      end
      request
    end

    def result(call, answer)
      raise ControlError.new(call, answer.status, problem_of(answer)) unless (200..299).cover?(answer.status)
      return nil if answer.body.empty?

      type = answer.headers.fetch("content-type", ["json"]).first
      type.include?("json") ? JSON.parse(answer.body) : answer.body
    end

    def problem_of(answer)
      problem = JSON.parse(answer.body)
      return problem if problem.is_a?(Hash)

      unknown_problem(answer)
    rescue JSON::ParserError
      unknown_problem(answer)
    end

    def unknown_problem(answer)
      shown = answer.body.scrub[0, SHOWN_CHARACTERS].inspect
      { "title" => "not a problem document", "detail" => "#{shown}; is this a mynah?" }
    end

    def pass(event, block)
      block.call(event)
    rescue StandardError
      raise CallersError
    end

    def each_block(response)
      text = +""
      response.read_body do |part|
        text << part
        while (block = text.slice!(/\A.*?\n\n/m))
          yield block.force_encoding(Encoding::UTF_8)
        end
      end
    end

    # An event of a stream; nil for what only keeps the connection, or tells the number reached.
    def event_of(block)
      fields = block.lines(chomp: true).to_h do |line|
        name, _, value = line.partition(":")
        [name, value.delete_prefix(" ")]
      end
      return nil unless fields.key?("data")

      id = fields["id"].to_s.empty? ? nil : fields["id"].to_i
      Event.new(fields.fetch("event", "message"), id, JSON.parse(fields["data"])).freeze
    end
  end
end
