// SPDX-License-Identifier: MIT
//===- Pragma.cpp - #pragma acre diagnostic -------------------------------===//

#include "plugin/Pragma.h"
#include "plugin/Diagnostics.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace acre::ast;

namespace {

class AcrePragma : public PragmaHandler {
public:
  explicit AcrePragma(std::shared_ptr<Diagnostics> Reports)
      : PragmaHandler("acre"), Reports(std::move(Reports)) {}

  void HandlePragma(Preprocessor &Input, PragmaIntroducer, Token &) override {
    Token Word;
    Input.LexUnexpandedToken(Word);
    if (!Word.is(tok::identifier) || Word.getIdentifierInfo()->getName() != "diagnostic")
      return reject(3, Word, Input);
    Input.LexUnexpandedToken(Word);
    if (!Word.is(tok::identifier))
      return reject(0, Word, Input);
    llvm::StringRef Verb = Word.getIdentifierInfo()->getName();
    if (Verb == "push") {
      Reports->pragmaPush();
    } else if (Verb == "pop") {
      if (!Reports->pragmaPop(Word.getLocation()))
        reject(2, Word, Input);
    } else {
      set(Verb, Word, Input);
    }
  }

private:
  void set(llvm::StringRef Verb, Token Word, Preprocessor &Input) {
    auto Wanted = llvm::StringSwitch<std::optional<Severity>>(Verb)
                      .Case("ignored", Severity::Ignored)
                      .Case("warning", Severity::Warning)
                      .Case("error", Severity::Error)
                      .Default(std::nullopt);
    if (!Wanted)
      return reject(0, Word, Input);
    SourceLocation Location = Word.getLocation();
    std::string Flag;
    Input.LexUnexpandedToken(Word);
    if (!Word.is(tok::string_literal) ||
        !Input.FinishLexStringLiteral(Word, Flag, "#pragma acre diagnostic", false))
      return reject(1, Word, Input);
    llvm::StringRef Name = Flag;
    std::optional<Diag> Kind =
        Name.consume_front("-Wacre-") ? Severities::findFlag(Name) : std::nullopt;
    if (!Kind)
      return reject(1, Word, Input);
    Reports->pragmaSet(Location, *Kind, *Wanted);
  }

  void reject(unsigned Reason, const Token &At, Preprocessor &Input) {
    Reports->report(Diag::UnknownPragma, At.getLocation()) << Reason;
    if (At.isNot(tok::eod))
      Input.DiscardUntilEndOfDirective();
  }

  std::shared_ptr<Diagnostics> Reports;
};

} // namespace

void acre::ast::addPragmas(Preprocessor &Input, std::shared_ptr<Diagnostics> Reports) {
  Input.AddPragmaHandler(new AcrePragma(std::move(Reports)));
}
