// SPDX-License-Identifier: MIT
//===- Stats.cpp - acre stats: what became of stores, in tables -----------===//
#include "Commands.h"
#include "StatsRead.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>

namespace acre::cli {
namespace {

constexpr char HelpText[] =
    "usage: acre stats [options] FILE...\n"
    "\n"
    "Adds up what -facre-stats=FILE and ACRE_STATS=FILE.json have written, of any number of "
    "compilations and\n"
    "processes, and prints what the compiler decided of the pointer stores and what became of "
    "those that were\n"
    "executed.\n"
    "\n"
    "  --by=WHAT  the rows: slot, file, function, type or store. May be given several times. By "
    "default the\n"
    "             first four, of functions and types the first 20\n"
    "  --json     as JSON: one object, in the form of the files\n"
    "\n"
    "exit status: 0 done, 2 wrong usage, or a file that cannot be read or holds no statistics.\n";

struct Group {
  const char *Name;
  std::string (*Of)(const StoreStats &);
  size_t MostRows; // unless asked for
};

std::string placeOf(const StoreStats &Of) {
  return Of.File + ":" + std::to_string(Of.Line) + ":" + std::to_string(Of.Column) + " " + Of.Slot;
}

constexpr Group Groups[] = {
    {"slot", [](const StoreStats &S) { return S.Slot; }, SIZE_MAX},
    {"file", [](const StoreStats &S) { return S.File; }, SIZE_MAX},
    {"function", [](const StoreStats &S) { return S.Function; }, 20},
    {"type",
     [](const StoreStats &S) { return S.Type.empty() ? std::string("(in no structure)") : S.Type; },
     20},
    {"store", placeOf, SIZE_MAX},
};

struct Request {
  bool IsJson = false, IsHelpWanted = false;
  std::vector<const Group *> By;
  Arguments Files;
};

int fail(const std::string &Message) {
  fprintf(stderr, "acre: error: %s\n", Message.c_str());
  return ExitUsage;
}

std::string parse(const Arguments &Given, Request &To) {
  constexpr std::string_view By = "--by=";
  for (const std::string &Each : Given) {
    auto Named = std::find_if(std::begin(Groups), std::end(Groups),
                              [&](const Group &G) { return Each == std::string(By) + G.Name; });
    if (!Each.starts_with("-"))
      To.Files.push_back(Each);
    else if (Each == "--json")
      To.IsJson = true;
    else if (Each == "--help" || Each == "-h")
      To.IsHelpWanted = true;
    else if (Named != std::end(Groups))
      To.By.push_back(Named);
    else if (Each.starts_with(By))
      return "'" + Each + "': the choices are slot, file, function, type and store";
    else
      return "stats has no option '" + Each + "'; 'acre stats --help' lists its options";
  }
  return To.Files.empty() && !To.IsHelpWanted ? "stats wants a file; 'acre stats --help' explains"
                                              : "";
}

/// The sums of one row.  What is decided is counted in stores of the source, what is executed in
/// executions.
struct Row {
  std::uint64_t Annotated = 0, Proved = 0, Counted = 0, Free = 0, OnlyClearing = 0, Copies = 0;
  std::uint64_t Safe = 0, Inline = 0, Called = 0, Changed = 0, Unchanged = 0, CopiesMade = 0;

  void add(const StoreStats &S);
  std::uint64_t decided() const { return Annotated + Counted + Copies; }
  std::uint64_t executed() const { return Safe + Inline + Called + Changed + Unchanged; }
};

void Row::add(const StoreStats &S) {
  bool IsDecided = S.Removed + S.Cleared + S.Kept != 0;
  if (S.isCopy()) {
    Copies += IsDecided;
    CopiesMade += S.Executed;
    return;
  }
  Safe += S.Safe;
  if (S.isAnnotated()) {
    Annotated += IsDecided;
    Proved += IsDecided && !S.Kept;
    Inline += S.Executed - S.Called;
    Called += S.Called;
    return;
  }
  if (S.isCounted()) {
    Counted += IsDecided;
    Free += IsDecided && !S.Kept && !S.Cleared;
    OnlyClearing += !S.Kept && S.Cleared;
  }
  Changed += S.Changed;
  Unchanged += S.Executed - S.Changed;
}

double share(std::uint64_t Part, std::uint64_t Whole) {
  return Whole ? 100.0 * static_cast<double>(Part) / static_cast<double>(Whole) : 0;
}

using Rows = std::vector<std::pair<std::string, Row>>;

/// The rows of a group, the largest by Size first; what has no size is left out.
Rows rowsOf(const std::vector<StoreStats> &All, const Group &By,
            std::uint64_t (*Size)(const Row &)) {
  std::map<std::string, Row> Named;
  for (const StoreStats &Each : All)
    Named[By.Of(Each)].add(Each);
  Rows Result(Named.begin(), Named.end());
  std::erase_if(Result, [&](const auto &Each) { return Size(Each.second) == 0; });
  std::stable_sort(Result.begin(), Result.end(),
                   [&](const auto &A, const auto &B) { return Size(A.second) > Size(B.second); });
  return Result;
}

void printDecided(const std::string &Name, const Row &Of) {
  auto N = [](std::uint64_t Count) { return static_cast<unsigned long long>(Count); };
  printf("%9llu %8llu %6.1f %8llu %9llu %8llu %8llu %8llu %8llu  %s\n", N(Of.Annotated),
         N(Of.Proved), share(Of.Proved, Of.Annotated), N(Of.Annotated - Of.Proved), N(Of.Counted),
         N(Of.Free), N(Of.OnlyClearing), N(Of.Counted - Of.Free - Of.OnlyClearing), N(Of.Copies),
         Name.c_str());
}

void printExecuted(const std::string &Name, const Row &Of) {
  std::uint64_t All = Of.executed();
  printf("%14llu %7.1f %7.1f %7.1f %7.1f %7.1f %12llu  %s\n", static_cast<unsigned long long>(All),
         share(Of.Safe, All), share(Of.Inline, All), share(Of.Called, All), share(Of.Changed, All),
         share(Of.Unchanged, All), static_cast<unsigned long long>(Of.CopiesMade), Name.c_str());
}

void printTable(const std::vector<StoreStats> &All, const Request &Wanted,
                std::uint64_t (*Size)(const Row &),
                void (*Print)(const std::string &, const Row &)) {
  Row Whole;
  for (const StoreStats &Each : All)
    Whole.add(Each);
  Print("all", Whole);
  for (const Group &Each : Groups) {
    bool IsAsked = std::find(Wanted.By.begin(), Wanted.By.end(), &Each) != Wanted.By.end();
    if (!IsAsked && (!Wanted.By.empty() || Each.Of == placeOf))
      continue;
    Rows Of = rowsOf(All, Each, Size);
    const size_t Most = IsAsked ? Of.size() : std::min(Of.size(), Each.MostRows);
    printf("by %s\n", Each.Name);
    for (size_t I = 0; I < Most; ++I)
      Print(Of[I].first, Of[I].second);
    if (Most < Of.size())
      printf("  and %zu more; --by=%s shows all\n", Of.size() - Most, Each.Name);
  }
}

void printJson(const std::vector<StoreStats> &All) {
  using Json = nlohmann::ordered_json;
  Json Stores = Json::array();
  for (const StoreStats &S : All)
    Stores.push_back({{"file", S.File},
                      {"line", S.Line},
                      {"column", S.Column},
                      {"function", S.Function},
                      {"type", S.Type},
                      {"slot", S.Slot},
                      {"removed", S.Removed},
                      {"cleared", S.Cleared},
                      {"kept", S.Kept},
                      {"safe", S.Safe},
                      {"executed", S.Executed},
                      {"called", S.Called},
                      {"changed", S.Changed}});
  puts(Json{{"acre_stats", 1}, {"program", "acre stats"}, {"stores", Stores}}.dump().c_str());
}

} // namespace

int stats(const Arguments &Given) {
  Request Wanted;
  if (std::string Problem = parse(Given, Wanted); !Problem.empty())
    return fail(Problem);
  if (Wanted.IsHelpWanted) {
    fputs(HelpText, stdout);
    return 0;
  }
  StatsReader Reader;
  for (const std::string &File : Wanted.Files) {
    std::ifstream From(File, std::ios::binary);
    if (!From || From.peek() == std::ifstream::traits_type::eof())
      return fail("cannot read '" + File + "': " + (errno ? strerror(errno) : "it is empty"));
    if (std::string Problem = Reader.read(From); !Problem.empty())
      return fail(File + ": " + Problem);
  }
  const std::vector<StoreStats> All = Reader.merged();
  if (Wanted.IsJson) {
    printJson(All);
  } else {
    puts("decided when compiling: places of the source");
    puts("annotated   proved  per c.  checked   counted     free  clears  barrier   copies");
    printTable(All, Wanted, [](const Row &Of) { return Of.decided(); }, printDecided);
    if (Reader.hasRuns()) {
      puts("\nexecuted: shares in per cent");
      puts("        stores    safe  inline  called counted no chg.       copies");
      printTable(
          All, Wanted, [](const Row &Of) { return Of.executed() + Of.CopiesMade; }, printExecuted);
    }
  }
  bool IsWritten = fflush(stdout) == 0 && !ferror(stdout);
  return IsWritten ? 0 : fail(std::string("cannot write: ") + strerror(errno));
}

} // namespace acre::cli
