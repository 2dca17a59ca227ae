// SPDX-License-Identifier: MIT
#include "ClangCommand.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>

namespace acre {
namespace {

namespace fs = std::filesystem;

class Builder {
public:
  Builder(const CommandLine &Command, const Installation &Acre, int ClangMajor)
      : Command(Command), Acre(Acre), ClangMajor(ClangMajor) {}

  void addCompilation();
  void addLink();

  std::vector<std::string> Arguments; ///< before those of the command
  std::vector<std::string> Trailing;  ///< and behind them
  std::optional<std::string> Error;

private:
  void add(std::initializer_list<std::string> More) { Arguments.insert(Arguments.end(), More); }
  /// For the compiler proper only: the assembler, which takes LLVM's options too, does not load the
  /// plugin.
  void addForPass(const std::string &Option) { add({"-Xclang", "-mllvm", "-Xclang", Option}); }
  void addForLinker(std::initializer_list<std::string> More) {
    for (const std::string &Argument : More)
      add({"-Xlinker", Argument});
  }
  void fail(std::string Message) {
    if (!Error)
      Error = std::move(Message);
  }
  void require(const fs::path &File, std::string_view What) {
    std::error_code Ignored;
    if (!fs::exists(File, Ignored))
      fail("cannot find " + std::string(What) + " '" + File.string() +
           "': the installation is incomplete");
  }
  /// The plugin that fits the clang; fails if there is none.
  std::string plugin() {
    std::error_code Ignored;
    if (!fs::exists(Acre.plugin(ClangMajor), Ignored))
      fail(missingPlugin(Acre, ClangMajor));
    return Acre.plugin(ClangMajor).string();
  }
  /// The file of a map of pools, by its name or path; fails if there is none.
  std::string poolMap(const std::string &Name);
  /// Whether the last of the options -f<Name> and -fno-<Name> turns that on.
  bool hasFlag(std::string_view Name) const;
  bool splitsFunctions() const;
  void addRuntime();
  /// Whether a sanitizer of one of these names is asked for.
  bool hasSanitizer(std::initializer_list<std::string_view> Names) const;
  bool hasSanitizerOfMemory() const {
    return hasSanitizer({"address", "thread", "memory", "leak"});
  }
  std::string mallocOption() const;
  void addCollectedMalloc();
  void addCollectedArchive();
  void addWrapped();
  void addLinkTimeOptimization();

  const CommandLine &Command;
  const Installation &Acre;
  const int ClangMajor;
};

std::string Builder::poolMap(const std::string &Name) {
  std::error_code Ignored;
  const bool IsFile = Name.find('/') != Name.npos || Name.ends_with(".map");
  const fs::path File = IsFile ? fs::path(Name) : Acre.pools() / (Name + ".map");
  if (!fs::exists(File, Ignored))
    fail("'-facre-pools=" + Name + "': there is no " +
         (IsFile ? "file '" + Name + "'" : "map of this name in '" + Acre.pools().string() + "'"));
  return File.string();
}

void Builder::addCompilation() {
  // Some of these options serve only some inputs, and none serves a link: Clang is not to warn.
  // The system's headers stay where they are in the order: the C++ library's must be before them.
  add({"--start-no-unused-arguments", Acre.isOfSystem() ? "-idirafter" : "-isystem",
       Acre.headers().string()});
  // Valgrind before 3.21 ends at Clang's version 5 beside the runtime's.  -gdwarf-5 wins.
  add({"-fdebug-default-version=4"});
  if (Command.Acre.HasCollectedMalloc && !Command.Acre.IsInstrumenting)
    fail(mallocOption() + " needs Acre's pass; -fno-acre leaves it out");
  if (Command.Acre.IsInstrumenting) {
    add({"-D__ACRE__=1"});
    if (Command.Acre.HasSites)
      add({"-D__ACRE_SITES__=1"});
    if (Command.Acre.SearchesFrames)
      add({"-D__ACRE_CONSERVATIVE_FRAMES__=1"});
    if (!Command.IsPreprocessing) {
      if (Command.Is32Bit)
        fail("Acre needs a 64-bit target; -fno-acre compiles without counts and checks");
      if (hasFlag("emulated-tls"))
        fail("the runtime has variables of each thread that are the system's: leave "
             "-femulated-tls away, or compile with -fno-acre");
      const std::string Plugin = plugin();
      add({"-fplugin=" + Plugin, "-fpass-plugin=" + Plugin});
      if (Command.Acre.HasStats && Command.Acre.HasNoChecks)
        fail("-facre-stats counts what becomes of checks, and -facre-checks=none makes none");
      if (Command.Acre.HasStats)
        addForPass("-acre-stats");
      // Statistics and errors want places.  A later option for more, or none, wins.
      if (Command.Acre.HasStats || Command.Acre.WantsLines)
        add({"-gline-tables-only"});
      if (Command.Acre.HasCollectedMalloc) {
        addForPass("-acre-collected-malloc");
        add({"-fplugin-arg-acre-collected-malloc"});
        if (Command.Acre.HasQuarantine)
          addForPass("-acre-quarantine-malloc");
      }
      if (Command.Acre.SearchesFrames)
        addForPass("-acre-conservative-frames");
      if (Command.Acre.Runtime == RuntimeKind::Shared)
        addForPass("-acre-shared-runtime");
      // A table of patch points has distances within functions.
      if (splitsFunctions())
        addForPass("-acre-barriers=inline");
      for (const std::string &Word : Command.Acre.PassWords)
        addForPass(Word);
      for (const std::string &Each : Command.Acre.Pools)
        add({"-fplugin-arg-acre-pools=" + poolMap(Each)});
      add({"-fplugin-arg-acre-notes-dir=" + Acre.notes().string()});
      // Whoever calls this by its name knows that the files are C++.
      if (Command.IsCxx)
        add({"-fplugin-arg-acre-Wno-uninstrumented"});
      for (const std::string &Word : Command.Acre.PluginWords)
        add({"-fplugin-arg-acre-" + Word});
      if (Command.Acre.HasRemarks)
        add({"-Rpass=acre", "-Rpass-missed=acre"});
      // The runtime finds the locals that longjmp discards by their place on the stack, where
      // AddressSanitizer's fake stack does not put them.
      if (hasSanitizer({"address"}))
        add({"-fsanitize-address-use-after-return=never"});
      // Lifetime markers at every level, and the names of variables for the reports.
      add({"-Xclang", "-fsanitize-address-use-after-scope", "-fno-discard-value-names"});
    }
  }
  add({"--end-no-unused-arguments"});
}

bool Builder::hasFlag(std::string_view Name) const {
  const std::string On = "-f" + std::string(Name), Off = "-fno-" + std::string(Name);
  bool Has = false;
  for (const std::string &Each : Command.ClangArguments)
    Has = Each == On || (Has && Each != Off);
  return Has;
}

/// Whether Clang is told to put parts of functions into other sections.
bool Builder::splitsFunctions() const {
  bool Splits = hasFlag("split-machine-functions");
  for (std::string_view Each : Command.ClangArguments)
    if (Each.starts_with("-fbasic-block-sections="))
      Splits = !Each.ends_with("=none");
  return Splits;
}

bool Builder::hasSanitizer(std::initializer_list<std::string_view> Names) const {
  for (std::string_view Argument : Command.ClangArguments)
    for (std::string_view Name : Names)
      if (Argument.starts_with("-fsanitize=") && Argument.find(Name) != Argument.npos)
        return true;
  return false;
}

std::string Builder::mallocOption() const {
  return std::string("-facre-malloc=") + (Command.Acre.HasQuarantine ? "quarantine" : "collected");
}

/// Links the functions that stand before the C library's into the program, where the loader looks
/// first: so libraries that acre-cc did not compile call them too.
void Builder::addCollectedMalloc() {
  if (Command.IsStatic)
    return fail(mallocOption() + " needs the C library as a shared library; leave -static away");
  if (hasSanitizerOfMemory()) // each has a malloc of its own
    return fail(mallocOption() +
                " and this -fsanitize= both replace malloc; leave one of them away");
  if (Command.IsShared)
    return;
  require(Acre.collectedObject(), "the object file");
  addForLinker({Acre.collectedObject().string()});
  if (Command.Acre.HasQuarantine) {
    require(Acre.quarantineObject(), "the object file");
    addForLinker({Acre.quarantineObject().string()});
  }
  for (const char *Name : {"free", "realloc", "reallocarray", "malloc_usable_size", "sigfillset",
                           "sigprocmask", "pthread_sigmask", "timer_create", "timer_delete",
                           "mq_notify", "acre_rt_gc_is_linked", "acre_rt_gc_has_quarantine"})
    addForLinker({"--export-dynamic-symbol=" + std::string(Name)});
}

/// The same for a link without the option, if one of the inputs was compiled with it: each of those
/// names a symbol of the archive.  Some linkers look only for what inputs before it have named.
/// What the archive has of the C library's names is no reason to take it, because the C library
/// stands before it.
void Builder::addCollectedArchive() {
  if (Command.IsShared || Command.IsStatic || Command.HasInputsToTheEnd || hasSanitizerOfMemory())
    return;
  for (std::string_view Argument : Command.ClangArguments)
    if (Argument.find("--exclude-libs") != Argument.npos) // libraries would not find what is in it
      return;
  require(Acre.collectedArchive(), "the archive");
  for (const std::string &Argument :
       {std::string("--push-state"), std::string("--no-whole-archive"), std::string("--as-needed"),
        std::string("-lc"), std::string("-lrt"), Acre.collectedArchive().string(),
        std::string("--pop-state")})
    Trailing.insert(Trailing.end(), {"-Xlinker", Argument});
}

/// A linker that is told to wrap malloc is to wrap what calls of malloc have become, too.  The
/// archive leads from those to the program's __wrap_malloc, and has one where that has none: the
/// runtime refers to functions that the program may not call.
void Builder::addWrapped() {
  static constexpr std::pair<std::string_view, std::string_view> Interceptors[] = {
#define ACRE_COLLECTED(Name, Interceptor) {Interceptor, Name},
#include "shared/library.def"
#define ACRE_COLLECTED_AT(Name, Interceptor, Count) {Interceptor, Name},
#include "shared/library.def"
#define ACRE_COLLECTED_SITE(Name, Interceptor, Count) {Interceptor, Name},
#include "shared/library.def"
#define ACRE_COLLECTED_NUMBERS(Name, Interceptor) {Interceptor, Name},
#include "shared/library.def"
  };
  if (Command.Wrapped.empty())
    return;
  require(Acre.wrappedArchive(), "the archive");
  // One that stands for several functions is wrapped with the first of them.
  std::map<std::string_view, std::string_view> FirstNames(std::begin(Interceptors),
                                                          std::end(Interceptors));
  for (auto [Interceptor, Name] : FirstNames)
    if (std::find(Command.Wrapped.begin(), Command.Wrapped.end(), Name) != Command.Wrapped.end())
      addForLinker({"--wrap=" + std::string(Interceptor)});
  Trailing.insert(Trailing.end(), {"-Xlinker", Acre.wrappedArchive().string()});
}

void Builder::addRuntime() {
  RuntimeKind Kind = Command.Acre.Runtime;
  if (Command.IsWithoutRuntime || Kind == RuntimeKind::None)
    return;
  if (Command.Is32Bit)
    return fail("there is no runtime for 32-bit programs; -facre-runtime=none links without it");
  std::error_code Ignored;
  if (!Acre.Target.empty() && !fs::exists(Acre.staticRuntime(), Ignored))
    return fail(missingRuntime(Acre));
  if (Kind == RuntimeKind::Automatic)
    Kind = Command.IsShared ? RuntimeKind::Shared : RuntimeKind::Static;
  if (Kind == RuntimeKind::Shared && Command.IsStatic)
    return fail("-facre-runtime=shared cannot be linked into a static program");

  if (Command.Acre.IsVerifying) {
    require(Acre.verifyObject(), "the object file");
    addForLinker({Acre.verifyObject().string()});
  }
  if (Command.Acre.HasCollectedMalloc)
    addCollectedMalloc();
  else if (Command.Acre.SearchesFrames && !Command.IsShared && !Command.IsStatic &&
           !hasSanitizerOfMemory()) {
    require(Acre.waitsObject(), "the object file");
    addForLinker({Acre.waitsObject().string()});
    for (const char *Name : {"sigfillset", "sigprocmask", "pthread_sigmask"})
      addForLinker({"--export-dynamic-symbol=" + std::string(Name)});
  }
  if (Kind == RuntimeKind::Static) {
    require(Acre.staticRuntime(), "the runtime");
    // A process has one runtime.  All of the program's is there and visible, so that shared
    // libraries that it loads, now or later, use it and not libacre.so.
    addForLinker({"--whole-archive", Acre.staticRuntime().string(), "--no-whole-archive"});
    if (!Command.IsStatic && !Command.IsShared)
      addForLinker({"--export-dynamic-symbol=acre_*"});
    addForLinker({"-lpthread"});
  } else {
    require(Acre.sharedRuntime(), "the runtime");
    addForLinker({"--push-state", "--no-as-needed", Acre.sharedRuntime().string(), "--pop-state"});
    if (Command.Acre.HasRpath && !(Acre.isOfSystem() && Acre.Target.empty()))
      addForLinker({"-rpath", Acre.runtimes().string()});
  }
  if (!Command.Acre.HasCollectedMalloc)
    addCollectedArchive();
  addWrapped();
}

void Builder::addLinkTimeOptimization() {
  if (!Command.HasLTO || !Command.Acre.IsInstrumenting)
    return;
  if (!Command.Linker)
    add({"-fuse-ld=lld"});
  else if (fs::path(*Command.Linker).filename().string().find("lld") == std::string::npos)
    return fail("-flto needs lld, because '" + *Command.Linker +
                "' cannot load Acre's pass; use -fuse-ld=lld, or -fno-acre");
  addForLinker({"--load-pass-plugin=" + plugin()});
  if (Command.Acre.HasRemarks)
    addForLinker({"-mllvm", "-pass-remarks=acre", "-mllvm", "-pass-remarks-missed=acre"});
}

void Builder::addLink() {
  if (!Command.IsLinking)
    return;
  add({"--start-no-unused-arguments"});
  addLinkTimeOptimization();
  addRuntime();
  add({"--end-no-unused-arguments"});
}

} // namespace

std::vector<std::string> clangCommand(const CommandLine &Command, const Installation &Acre,
                                      const ClangChoice &Clang, std::optional<std::string> &Error) {
  Builder Build(Command, Acre, Clang.Major);
  Build.Arguments.push_back(Clang.Path.string());
  if (Command.IsCxx && !Command.IsInternal)
    Build.Arguments.push_back("--driver-mode=g++");
  if (Command.HasInput && !Command.IsInternal) {
    Build.addCompilation();
    Build.addLink();
  }
  Error = Build.Error;
  Build.Arguments.insert(Build.Arguments.end(), Command.ClangArguments.begin(),
                         Command.ClangArguments.end());
  Build.Arguments.insert(Build.Arguments.end(), Build.Trailing.begin(), Build.Trailing.end());
  return std::move(Build.Arguments);
}

} // namespace acre
