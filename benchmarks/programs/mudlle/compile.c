/* SPDX-License-Identifier: MIT */
/* compile.c - the phases in order, form by form: no more than one form's tree exists at any time.
 */
#include "compile.h"

static struct code *compile_form(struct program *program, struct function *form) deletes {
  fold_function(form);
  analyse_form(form, program);
  return generate_function(program, form);
}

void compile_text(struct program *program, const char *text) deletes {
  struct lexer lexer;
  bool is_at_end = false;
  lexer_start(&lexer, text);
  while (!is_at_end) {
    region memory = newsubregion(regionof(program));
    struct function *form = parse_form(&lexer, memory);
    if (form)
      program_add_form(program, compile_form(program, form));
    else
      is_at_end = true;
    deleteregion(memory);
  }
}
