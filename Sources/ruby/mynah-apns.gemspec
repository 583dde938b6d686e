# frozen_string_literal: true

Gem::Specification.new do |gem|
  gem.name = "mynah-apns"
  gem.version = "0.1.0"
  gem.summary = "Starts or finds a Mynah, an APNs on localhost, and asserts on the pushes that it received"
  gem.authors = ["Mynah's authors"]
  gem.license = "Apache-2.0"
  gem.required_ruby_version = ">= 3.0"
  gem.files = Dir.chdir(__dir__) { Dir["LICENSE", "README.md", "lib/**/*.rb"] }
end
