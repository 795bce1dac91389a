# How LLVM's test runner, lit, runs LLVM's own tests of llvm-profdata and llvm-cov with the
# tools of one folder: PROFLENS_TOOLS. main.go beside it says where the tests come from.
import os

import lit.formats

source = os.environ["PROFLENS_LLVM"]  # .../llvm of a release's sources
config.name = "tools"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".ll", ".c", ".cpp", ".proftext", ".txt", ".s", ".m"]
config.excludes = ["Inputs", "CMakeLists.txt", "README.txt", "LICENSE.txt"]
config.test_source_root = os.path.join(source, "test", "tools")
config.test_exec_root = os.environ["PROFLENS_TEST_OUTPUT"]
config.environment["PATH"] = os.environ["PROFLENS_TOOLS"] + ":" + os.environ["PATH"]
config.environment["LC_ALL"] = "C.UTF-8"
config.available_features |= {"zlib", "shell", "system-linux", "x86_64-linux", "x86-registered-target", "native", "llvm-64-bits"}
config.target_triple = "x86_64-pc-linux-gnu"
config.substitutions += [("%python", "python3"), ("%errc_ENOENT", "'No such file or directory'"), ("%errc_EISDIR", "'Is a directory'")]

config.targets = ["X86"]
