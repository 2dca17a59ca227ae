// SPDX-License-Identifier: MIT
#include "ExplainOutput.h"
#include "ExplainSource.h"

#include <algorithm>
#include <cstdio>

namespace acre::cli {
namespace {

std::string placeText(const Place &At) {
  if (At.File.empty())
    return "(place not known)";
  if (!At.Line)
    return At.File;
  std::string Text = At.File + ":" + std::to_string(At.Line);
  return At.Column ? Text + ":" + std::to_string(At.Column) : Text;
}

/// The line, and below it a caret at the column.
std::string excerpt(SourceFiles &Source, const Place &At) {
  constexpr size_t NumberWidth = 5;
  std::optional<std::string> Line = Source.line(At.File, At.Line);
  if (!Line)
    return "";
  std::string Number = std::to_string(At.Line);
  Number.insert(0, NumberWidth - std::min(NumberWidth, Number.size()), ' ');
  std::string Text = Number + " | " + *Line + "\n";
  if (At.Column == 0 || At.Column > Line->size() + 1)
    return Text;
  Text += std::string(Number.size(), ' ') + " | ";
  for (size_t I = 0; I + 1 < At.Column; ++I)
    if (codePoints(std::string_view(*Line).substr(I), 1))
      Text += (*Line)[I] == '\t' ? '\t' : ' ';
  return Text + "^\n";
}

std::string reasons(const Copy &Of, const std::string &Indent) {
  std::string Text;
  if (!Of.IsKept) {
    for (const std::string &Fact : Of.Facts)
      Text += (Text.empty() ? "" : ", ") + Fact;
    return Indent +
           "proved by: " + (Text.empty() ? "where the slot and the value come from" : Text) + "\n";
  }
  Text = Indent + "missing: " + Of.Missing + "\n" + Indent + "change:  " + Of.Change + "\n";
  if (Of.Where)
    Text += Indent + "where:   " + placeText(*Of.Where) + "\n";
  return Text;
}

/// Copies of one store with the same verdict and reasons, and the functions that they were compiled
/// in.  Groups whose check is kept come first.
struct Group {
  const Copy *First;
  std::string Reasons;
  std::vector<std::string> Functions;
};

std::vector<Group> groups(const Store &Of) {
  std::vector<Group> All;
  for (const Copy &Each : Of.Copies) {
    std::string Text = reasons(Each, "    ");
    auto Found = std::find_if(All.begin(), All.end(), [&](const Group &Other) {
      return Other.First->IsKept == Each.IsKept && Other.Reasons == Text;
    });
    if (Found == All.end())
      All.push_back({&Each, std::move(Text), {Each.Function}});
    else
      Found->Functions.push_back(Each.Function);
  }
  std::stable_partition(All.begin(), All.end(),
                        [](const Group &Each) { return Each.First->IsKept; });
  return All;
}

/// "in 'f' and where 'f' is inlined into 'g', 'h' and 2 more"
std::string placesOf(const Group &What, const std::string &Own) {
  constexpr size_t MostNames = 4;
  std::string Text, Others;
  size_t Count = 0;
  for (const std::string &Function : What.Functions) {
    if (Function == Own)
      Text = "in '" + Own + "'";
    else if (Count++ < MostNames)
      Others += (Others.empty() ? "'" : ", '") + Function + "'";
  }
  if (Count > MostNames)
    Others += " and " + std::to_string(Count - MostNames) + " more";
  if (!Others.empty())
    Text += (Text.empty() ? "where '" : " and where '") + Own + "' is inlined into " + Others;
  return Text;
}

std::string entry(SourceFiles &Source, const Store &Of) {
  auto Kept = static_cast<size_t>(std::count_if(Of.Copies.begin(), Of.Copies.end(),
                                                [](const Copy &Each) { return Each.IsKept; }));
  const size_t All = Of.Copies.size();
  std::string Text = placeText(Of.At) + ": " + Of.Subject + (Kept ? " kept" : " removed");
  if (All > 1)
    Text += " in " + (Kept && Kept < All ? std::to_string(Kept) + " of " : "all ") +
            std::to_string(All) + " copies";
  Text += "\n" + excerpt(Source, Of.At);
  if (!Of.At.Line)
    Text += "  several stores in '" + Of.Function + "', merged by the optimizer\n";
  if (All == 1 && Of.Copies.front().Function == Of.Function)
    return Text + reasons(Of.Copies.front(), "  ") + "\n";
  // What is inlined everywhere would fill pages.
  constexpr size_t MostGroups = 5;
  size_t Shown = 0, Left = 0;
  for (const Group &Each : groups(Of)) {
    if (Shown++ < MostGroups)
      Text += (Each.First->IsKept ? "  kept " : "  removed ") + placesOf(Each, Of.Function) + "\n" +
              Each.Reasons;
    else
      Left += Each.Functions.size();
  }
  if (Left)
    Text += "  and " + std::to_string(Left) + " more; --json lists all copies\n";
  return Text + "\n";
}

std::string summary(const char *What, const Tally &Of) {
  std::string Text = std::string(What) + " stores: " + std::to_string(Of.Stores);
  if (!Of.Stores)
    return Text + "\n";
  char Share[32];
  snprintf(Share, sizeof Share, " (%.1f %%)", 100.0 * Of.Removed / Of.Stores);
  return Text + ", of which removed " + std::to_string(Of.Removed) + Share + "\n";
}

} // namespace

std::string asText(const Explanation &What) {
  SourceFiles Source;
  std::string Text;
  for (const Store &Each : What.Shown)
    Text += entry(Source, Each);
  return Text + summary("annotated", What.Annotated) + summary("counted", What.Counted) +
         (What.Copies.Stores ? "copies with annotated members, always checked: " +
                                   std::to_string(What.Copies.Stores) + "\n"
                             : "");
}

} // namespace acre::cli
