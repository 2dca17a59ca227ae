// SPDX-License-Identifier: MIT
#include "SarifDocument.h"

#include <cctype>
#include <filesystem>
#include <string_view>

namespace acre::cli {
namespace {

constexpr const char *WorkingDirectory = "WORKINGDIRECTORY";

std::string asUriPath(std::string_view Path) {
  constexpr std::string_view Plain = "-._~/", Digits = "0123456789ABCDEF";
  std::string Result;
  for (char Letter : Path) {
    const auto C = static_cast<unsigned char>(Letter);
    if (std::isalnum(C) || Plain.find(Letter) != std::string_view::npos)
      Result += Letter;
    else
      (Result += '%') += {Digits[C >> 4], Digits[C & 15]};
  }
  return Result;
}

} // namespace

std::string written(const Json &Value) {
  return Value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json sarifArtifact(const std::string &File) {
  std::string Path = std::filesystem::path(File).lexically_normal().string();
  if (Path.starts_with('/'))
    return {{"uri", "file://" + asUriPath(Path)}};
  return {{"uri", asUriPath(Path)}, {"uriBaseId", WorkingDirectory}};
}

std::string sarifDocument(const Json &Rules, const Json &Results) {
  std::error_code Ignored;
  std::string Here = "file://" + asUriPath(std::filesystem::current_path(Ignored).string() + "/");
  Json Tool = {{"driver", {{"name", "acre"}, {"version", ACRE_VERSION}, {"rules", Rules}}}};
  Json Run = {{"tool", Tool},
              {"originalUriBaseIds", {{WorkingDirectory, {{"uri", Here}}}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", Results}};
  return written({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                  {"version", "2.1.0"},
                  {"runs", Json::array({Run})}});
}

} // namespace acre::cli
