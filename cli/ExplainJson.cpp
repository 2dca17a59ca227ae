// SPDX-License-Identifier: MIT
#include "ExplainOutput.h"
#include "ExplainSource.h"
#include "SarifDocument.h"

#include <algorithm>

namespace acre::cli {
namespace {

Json placeJson(const Place &At) {
  Json Result = {{"file", At.File}, {"line", At.Line}};
  if (At.Column)
    Result["column"] = At.Column;
  return Result;
}

const char *decision(bool IsKept) { return IsKept ? "kept" : "removed"; }

Json copyJson(const Copy &Of) {
  Json Result = {{"function", Of.Function}, {"decision", decision(Of.IsKept)}};
  if (!Of.IsKept) {
    Result["facts"] = Of.Facts;
    return Result;
  }
  Result["missing"] = Of.Missing;
  Result["change"] = Of.Change;
  if (Of.Where)
    Result["where"] = placeJson(*Of.Where);
  return Result;
}

Json tallyJson(const Tally &Of) { return {{"stores", Of.Stores}, {"removed", Of.Removed}}; }

Json storeJson(SourceFiles &Source, const Store &Of) {
  Json Result = placeJson(Of.At);
  Result["function"] = Of.Function;
  Result["slot"] = nameOf(Of.Kind);
  Result["decision"] = decision(Of.isKept());
  if (std::optional<std::string> Line = Source.line(Of.At.File, Of.At.Line))
    Result["source"] = *Line;
  Result["copies"] = Json::array();
  for (const Copy &Each : Of.Copies)
    Result["copies"].push_back(copyJson(Each));
  return Result;
}

struct Rule {
  const char *Id, *Text;
};

/// The first two are about checks, the next two about counts.
constexpr Rule Rules[] = {
    {"acre-check-kept", "The check of a store to an annotated slot is made at run time"},
    {"acre-check-removed", "The check of a store to an annotated slot cannot fail and is not made"},
    {"acre-count-kept", "A store to a slot without annotation counts references to regions"},
    {"acre-count-removed", "A store to a slot without annotation counts nothing"},
    {"acre-copy-kept", "The annotated members of a structure are checked when it has been copied"},
};

size_t ruleOf(const Store &Of) {
  if (Of.Kind == SlotKind::Copy)
    return 4;
  return (Of.Kind == SlotKind::Counted ? 2 : 0) + (Of.isKept() ? 0 : 1);
}

Json sarifLocation(SourceFiles &Source, const Place &At) {
  Json Region = {{"startLine", At.Line}};
  std::optional<std::string> Line = Source.line(At.File, At.Line);
  if (At.Column) {
    size_t Column = Line ? codePoints(*Line, At.Column - 1) + 1 : At.Column;
    Region["startColumn"] = Column;
    Region["endColumn"] = Column + 1;
  }
  Json Physical = {{"artifactLocation", sarifArtifact(At.File)}};
  if (At.Line)
    Physical["region"] = Region;
  if (Line &&
      At.Column) // the context must be more than the region, which without columns is the line
    Physical["contextRegion"] = {{"startLine", At.Line}, {"snippet", {{"text", *Line}}}};
  return {{"physicalLocation", Physical}};
}

/// The reasons of the copies that decide, each once.
std::string message(const Store &Of) {
  std::vector<std::string> Reasons;
  for (const Copy &Each : Of.Copies) {
    if (Each.IsKept != Of.isKept())
      continue;
    std::string Reason = Each.Missing + (Each.Change.empty() ? "" : ". To change: " + Each.Change);
    for (const std::string &Fact : Each.Facts)
      Reason += (Reason.empty() ? "by " : ", ") + Fact;
    if (!Reason.empty() && std::find(Reasons.begin(), Reasons.end(), Reason) == Reasons.end())
      Reasons.push_back(std::move(Reason));
  }
  std::string Text = Of.Subject + " " + decision(Of.isKept());
  for (size_t I = 0; I < Reasons.size(); ++I)
    Text += (I ? ". And: " : ": ") + Reasons[I];
  return Text;
}

Json sarifResult(SourceFiles &Source, const Store &Of) {
  Json Result = {{"ruleId", Rules[ruleOf(Of)].Id},
                 {"ruleIndex", ruleOf(Of)},
                 {"kind", Of.isKept() ? "fail" : "pass"},
                 {"level", Of.isKept() ? "note" : "none"},
                 {"message", {{"text", message(Of)}}}};
  Json Location = Of.At.File.empty() ? Json::object() : sarifLocation(Source, Of.At);
  Location["logicalLocations"] = Json::array({{{"name", Of.Function}, {"kind", "function"}}});
  Result["locations"] = Json::array({Location});
  Json Related = Json::array();
  for (const Copy &Each : Of.Copies) {
    if (!Each.Where || Each.Where->File.empty())
      continue;
    Json Where = sarifLocation(Source, *Each.Where);
    Where["message"] = {{"text", "the line to change"}};
    if (std::find(Related.begin(), Related.end(), Where) == Related.end())
      Related.push_back(Where);
  }
  if (!Related.empty())
    Result["relatedLocations"] = Related;
  return Result;
}

} // namespace

std::string asJson(const Explanation &What) {
  SourceFiles Source;
  Json Stores = Json::array();
  for (const Store &Each : What.Shown)
    Stores.push_back(storeJson(Source, Each));
  return written({{"acre", ACRE_VERSION},
                  {"stores", Stores},
                  {"summary",
                   {{"annotated", tallyJson(What.Annotated)},
                    {"counted", tallyJson(What.Counted)},
                    {"copies", tallyJson(What.Copies)}}}});
}

std::string asSarif(const Explanation &What) {
  SourceFiles Source;
  Json Descriptions = Json::array(), Results = Json::array();
  for (const Rule &Each : Rules)
    Descriptions.push_back({{"id", Each.Id}, {"shortDescription", {{"text", Each.Text}}}});
  for (const Store &Each : What.Shown)
    Results.push_back(sarifResult(Source, Each));
  return sarifDocument(Descriptions, Results);
}

} // namespace acre::cli
