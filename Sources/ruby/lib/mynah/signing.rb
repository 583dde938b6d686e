# frozen_string_literal: true

require "json"
require "openssl"

module Mynah
  # Provider tokens in Apple's form.
  module Signing
    # The bytes of a number of a signature.
    NUMBER_BYTES = 32
    BINARY = 2

    module_function

    # A token of a key; `issued_at` is in seconds since 1970.
    def provider_token(key, key_id, team_id, issued_at)
      signed = "#{part({ alg: "ES256", kid: key_id })}.#{part({ iss: team_id, iat: issued_at })}"
      der = OpenSSL::PKey.read(key).sign("SHA256", signed)
      numbers = OpenSSL::ASN1.decode(der).value.map { |one| one.value.to_s(BINARY).rjust(NUMBER_BYTES, "\0") }
      "#{signed}.#{encoded(numbers.join)}"
    end

    def part(value)
      encoded(JSON.generate(value))
    end

    def encoded(bytes)
      [bytes].pack("m0").tr("+/", "-_").delete("=")
    end
  end
  private_constant :Signing
end
