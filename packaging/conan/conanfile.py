# SPDX-License-Identifier: MIT
"""A recipe for Conan 2: conan create packaging/conan

It packages the headers and the runtime.  With -o "&:compiler=True" also acre-cc and acre, for the
LLVM and with the nlohmann-json that the system has.
"""

import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy, rm


class Acre(ConanFile):
    name = "acre"
    version = "0.1.0"
    license = "MIT"
    description = "Safe, fast memory management for C"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "compiler": [True, False]}
    default_options = {"shared": False, "compiler": False}

    def validate(self):
        if self.settings.os != "Linux" or self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration("Acre needs 64-bit Linux")

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for name in ("CMakeLists.txt", "LICENSE"):
            copy(self, name, root, self.export_sources_folder)
        for name in ("cli", "cmake", "compiler", "docs/man", "driver", "include", "runtime"):
            copy(self, f"{name}/*", root, self.export_sources_folder)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["ACRE_BUILD_COMPILER"] = bool(self.options.compiler)
        toolchain.cache_variables["ACRE_WERROR"] = False
        toolchain.cache_variables["BUILD_TESTING"] = False
        toolchain.cache_variables["CMAKE_INSTALL_LIBDIR"] = "lib"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        # Both kinds are built.  A linker that finds both takes the shared one.
        other = "libacre.a" if self.options.shared else "libacre.so*"
        rm(self, other, os.path.join(self.package_folder, "lib"))

    def package_info(self):
        # AcreConfig.cmake, which is installed, knows more than what Conan would make of this.
        self.cpp_info.builddirs = ["lib/cmake/Acre"]
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.set_property("pkg_config_name", "acre")
        self.cpp_info.libs = ["acre"]
        self.cpp_info.system_libs = ["pthread"]
