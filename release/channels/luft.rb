# A formula for Homebrew. It builds from source, so that Gatekeeper has nothing to refuse.
class Luft < Formula
  desc "UCI chess engine that explains its moves"
  homepage "@URL@"
  url "@URL@/luft-@VERSION@-source.tar.xz"
  version "@VERSION@"
  sha256 "@SUM source.tar.xz@"
  license "GPL-3.0-or-later"

  def install
    ENV.runtime_cpu_detection # the kernels are compiled for several processors and chosen at start-up
    system "make", "install", "ARCH=portable", "PREFIX=#{prefix}", "MANDIR=#{man6}"
  end

  test do
    system bin/"luft", "selftest"
  end
end
