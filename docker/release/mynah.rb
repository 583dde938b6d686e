# Made from docker/release/mynah.rb and the checksums of version @VERSION@.
class Mynah < Formula
  desc "APNs on localhost, for tests of push providers"
  homepage "https://github.com/OWNER/mynah"
  version "@VERSION@"
  license "Apache-2.0"

  depends_on :linux

  on_intel do
    url "https://github.com/OWNER/mynah/releases/download/v@VERSION@/mynah-@VERSION@-linux-x86_64.tar.gz"
    sha256 "@SHA256_x86_64@"
  end

  on_arm do
    url "https://github.com/OWNER/mynah/releases/download/v@VERSION@/mynah-@VERSION@-linux-aarch64.tar.gz"
    sha256 "@SHA256_aarch64@"
  end

  def install
    bin.install "mynah"
    generate_completions_from_executable(bin/"mynah", "completions")
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/mynah --version").strip
  end
end
