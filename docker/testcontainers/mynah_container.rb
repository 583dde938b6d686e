# frozen_string_literal: true

# Mynah in a container for tests in Ruby, with Mynah's gem (Sources/ruby) and the gem testcontainers-core.
#
#     MynahContainer.new("mynah").use do |container|
#       server = container.server
#       # …
#       server.scope("news").expect(topic: "com.example.app")
#     end

require "mynah"
require "testcontainers"

class MynahContainer < Testcontainers::DockerContainer
  APNS_PORT = 2197
  CONTROL_PORT = 8197
  READY_SECONDS = 30

  # Flags of `mynah serve` go by `with_env("MYNAH_…", value)`.
  def initialize(image = "mynah", **options)
    super
    add_exposed_ports(APNS_PORT, CONTROL_PORT)
    # 503 until the fixtures are loaded.
    add_wait_for(:http, path: "/readyz", container_port: CONTROL_PORT, timeout: READY_SECONDS)
  end

  # The server, once the container has started.
  def server(token: nil)
    Mynah.connect("http://#{host}:#{mapped_port(CONTROL_PORT)}", token: token, host: host, port: mapped_port(APNS_PORT))
  end
end
