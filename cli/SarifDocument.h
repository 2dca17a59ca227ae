/* SPDX-License-Identifier: MIT */
//===- SarifDocument.h - What all SARIF 2.1.0 of acre has in common -*- C++ -*-===//
#ifndef ACRE_CLI_SARIF_DOCUMENT_H
#define ACRE_CLI_SARIF_DOCUMENT_H

#include <nlohmann/json.hpp>

#include <string>

namespace acre::cli {

using Json = nlohmann::ordered_json;

/// Value as text.  What is not UTF-8 is replaced: the source need not be, JSON must.
std::string written(const Json &Value);

/// An artifactLocation: files that are not named from the root are in the working directory.
Json sarifArtifact(const std::string &File);

/// Rules: reportingDescriptors; Results: of one run, by this program.
std::string sarifDocument(const Json &Rules, const Json &Results);

} // namespace acre::cli

#endif
