// SPDX-License-Identifier: MIT
//===- DirectivePlaces.cpp - Where an #include can be added ---------------===//

#include "plugin/DirectivePlaces.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;
using namespace acre::ast;

namespace {

class PlaceFinder {
public:
  PlaceFinder(llvm::StringRef Text, const LangOptions &Language)
      : Text(Text), Raw(SourceLocation(), Language, Text.begin(), Text.begin(), Text.end()) {}

  unsigned find(unsigned Offset) {
    for (Raw.LexFromRawLexer(Now); Now.isNot(tok::eof) && start() < Offset;) {
      if (Places.empty())
        Places.push_back({0, lineStart(start())});
      if (Now.is(tok::hash) && Now.isAtStartOfLine()) {
        readDirective();
        continue;
      }
      Before = "";
      Raw.LexFromRawLexer(Now);
    }
    for (const Place &Each : llvm::reverse(Places))
      if (llvm::is_contained(Open, Each.Condition))
        return Each.Offset;
    return 0;
  }

private:
  /// A line that is read if Condition holds.
  struct Place {
    unsigned Condition, Offset;
  };

  unsigned start() { return Raw.getCurrentBufferOffset() - Now.getLength(); }

  unsigned lineStart(unsigned At) const {
    size_t Break = Text.substr(0, At).find_last_of("\r\n");
    return Break == llvm::StringRef::npos ? 0 : static_cast<unsigned>(Break) + 1;
  }

  unsigned lineEnd(unsigned At) const {
    size_t Break = Text.find_first_of("\r\n", At);
    if (Break == llvm::StringRef::npos)
      return static_cast<unsigned>(Text.size());
    return static_cast<unsigned>(Break) + (Text.substr(Break).starts_with("\r\n") ? 2 : 1);
  }

  /// Reads past a directive, to the first token of a later line.
  void readDirective() {
    Raw.LexFromRawLexer(Now);
    llvm::StringRef Name = Now.is(tok::raw_identifier) ? Now.getRawIdentifier() : llvm::StringRef();
    unsigned End = start();
    bool IsOnce = false;
    while (Now.isNot(tok::eof) && !Now.isAtStartOfLine()) {
      IsOnce |= Name == "pragma" && Now.is(tok::raw_identifier) && Now.getRawIdentifier() == "once";
      End = start() + Now.getLength();
      Raw.LexFromRawLexer(Now);
    }
    if (Name.starts_with("if"))
      Open.push_back(++Conditions);
    else if (Name.starts_with("el") && Open.size() > 1)
      Open.back() = ++Conditions;
    else if (Name == "endif" && Open.size() > 1)
      Open.pop_back();
    bool IsGuard = Name == "define" && Before == "ifndef" && Conditions == 1 && Open.size() == 2;
    if (Name == "include" || IsOnce || IsGuard)
      Places.push_back({Open.back(), lineEnd(End)});
    Before = Name;
  }

  llvm::StringRef Text;
  Lexer Raw;
  Token Now;
  llvm::StringRef Before;  // the name of the directive before this one, if nothing is between them
  unsigned Conditions = 0; // as many as were met; 0 is none
  llvm::SmallVector<unsigned, 8> Open = {0};
  llvm::SmallVector<Place, 16> Places;
};

} // namespace

unsigned acre::ast::placeOfInclude(llvm::StringRef Text, unsigned Offset,
                                   const LangOptions &Language) {
  return PlaceFinder(Text, Language).find(Offset);
}
