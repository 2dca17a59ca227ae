# SPDX-License-Identifier: MIT
# nix-build packaging/nix     builds Acre for LLVM 22, or another: --argstr llvm 21
{ pkgs ? import <nixpkgs> { }, llvm ? "22" }:
let
  inherit (pkgs) lib;
  packages = pkgs."llvmPackages_${llvm}";
  # Nix keeps LLVM and Clang in several trees, and their llvm-config names those of LLVM only.
  tree = pkgs.symlinkJoin {
    name = "acre-llvm-${llvm}";
    paths = [
      packages.llvm.dev
      packages.llvm.lib
      packages.libclang.dev
      packages.libclang.lib
    ];
  };
  config = pkgs.writeShellScript "llvm-config" ''
    case $1 in
      --version) echo ${packages.llvm.version} ;;
      --includedir) echo ${tree}/include ;;
      --libdir) echo ${tree}/lib ;;
      --bindir) echo ${packages.clang}/bin ;;
    esac
  '';
in
pkgs.stdenv.mkDerivation {
  pname = "acre";
  version = "0.1.0";
  src = lib.cleanSource ../..;
  nativeBuildInputs = [ pkgs.cmake pkgs.ninja ];
  buildInputs = [ pkgs.nlohmann_json ];
  # acre-cc looks below its own prefix; Nix's own choice is an absolute path.
  cmakeFlags = [
    "-DCMAKE_INSTALL_LIBDIR=lib"
    "-DBUILD_TESTING=OFF"
    "-DACRE_WERROR=OFF"
    "-DACRE_LLVM_VERSIONS=${llvm}"
    "-DACRE_LLVM_CONFIG_${llvm}=${config}"
    "-DACRE_LLVM_${llvm}_CLANG=${packages.clang}/bin/clang"
  ];
  doInstallCheck = true;
  installCheckPhase = ''
    bash ../packaging/first-program $out/bin/acre-cc
  '';
  meta = {
    description = "C compiler with counted regions";
    license = lib.licenses.mit;
    platforms = [ "x86_64-linux" "aarch64-linux" ];
    mainProgram = "acre-cc";
  };
}
