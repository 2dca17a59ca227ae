/* SPDX-License-Identifier: MIT */
/* code.c - the list of instructions and the table of virtual registers. */
#include "code.h"

struct code *settled code;

struct code *code_new(struct symbol *symbol, const struct type *type) {
  region memory = unit->function;
  struct code *code = ralloc(memory, struct code);
  code->symbol = symbol;
  code->value_limit = 64;
  code->values = rarrayalloc(memory, 64, struct value);
  code->return_label = unit_new_label();
  code->result_address = code->result_value = -1;
  code->is_variadic = type->is_variadic;
  return code;
}

int code_new_value(enum class class) {
  if (code->value_count == code->value_limit) {
    code->value_limit *= 2;
    code->values =
        rarrayextend(regionof(code), code->values, (size_t)code->value_limit, struct value);
  }
  struct value *value = &code->values[code->value_count];
  value->class = class;
  value->size = class_size(class);
  value->place = -1;
  return code->value_count++;
}

int code_new_local(struct symbol *symbol) {
  int number = code_new_value(type_is_scalar(symbol->type) ? class_of(symbol->type) : CLASS_I8);
  code->values[number].symbol = symbol;
  return number;
}

bool code_is_in_memory(const struct value *value) {
  return value->symbol && (value->symbol->is_in_memory || !type_is_scalar(value->symbol->type));
}

struct operand code_register(int value) { return (struct operand){OPERAND_REGISTER, value}; }
struct operand code_immediate(long value) { return (struct operand){OPERAND_IMMEDIATE, value}; }
struct operand code_none(void) { return (struct operand){OPERAND_NONE, 0}; }

struct quad *code_emit(enum quad_op op, enum class class, int result, struct operand a,
                       struct operand b) {
  struct quad *quad = ralloc(regionof(code), struct quad), *last = code->last;
  quad->op = op;
  quad->class = class;
  quad->result = result;
  quad->a = a;
  quad->b = b;
  quad->previous = last;
  if (last)
    last->next = quad;
  else
    code->first = quad;
  code->last = quad;
  return quad;
}

void code_label(int label) {
  code_emit(QUAD_LABEL, CLASS_I4, -1, code_none(), code_none())->label = label;
}

void code_jump(int label) {
  code_emit(QUAD_JUMP, CLASS_I4, -1, code_none(), code_none())->label = label;
}

enum class class_of(const struct type *type) {
  switch (type->kind) {
  case TYPE_BOOL:
  case TYPE_UNSIGNED_CHAR:
    return CLASS_U1;
  case TYPE_CHAR:
    return CLASS_I1;
  case TYPE_SHORT:
    return CLASS_I2;
  case TYPE_UNSIGNED_SHORT:
    return CLASS_U2;
  case TYPE_INT:
    return CLASS_I4;
  case TYPE_UNSIGNED:
    return CLASS_U4;
  case TYPE_LONG:
    return CLASS_I8;
  case TYPE_FLOAT:
    return CLASS_F4;
  case TYPE_DOUBLE:
    return CLASS_F8;
  default:
    return CLASS_U8;
  }
}

bool class_is_floating(enum class class) { return class >= CLASS_F4; }

int class_size(enum class class) {
  switch (class) {
  case CLASS_I1:
  case CLASS_U1:
    return 1;
  case CLASS_I2:
  case CLASS_U2:
    return 2;
  case CLASS_I4:
  case CLASS_U4:
  case CLASS_F4:
    return 4;
  default:
    return 8;
  }
}
