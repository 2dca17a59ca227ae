/* SPDX-License-Identifier: MIT */
/* select.c - the instructions for each operation. */
#include "emit.h"

enum { TEXT_SIZE = 128 };

static bool is_value(struct operand operand, int number) {
  return operand.kind == OPERAND_REGISTER && operand.value == number;
}

/* Whether the operand is in the machine register. */
static bool is_place(struct operand operand, int place) {
  return operand.kind == OPERAND_REGISTER && emit_value((int)operand.value)->place == place;
}

static void emit_move(const struct quad *quad) {
  bool is_floating = class_is_floating(quad->class);
  const struct value *result = emit_value(quad->result);
  if (is_value(quad->a, quad->result))
    return;
  if (class_size(quad->class) < 4) {
    emit_load(REGISTER_AX, quad->a, CLASS_I4);
    if (result->place >= 0)
      emit_extend(REGISTER_AX, quad->class);
    emit_store(REGISTER_AX, quad->result);
    return;
  }
  if (result->place >= 0) {
    emit_load(result->place, quad->a, quad->class);
    return;
  }
  int number =
      emit_operand_register(quad->a, quad->class, is_floating ? REGISTER_XMM0 : REGISTER_AX);
  emit_store(number, quad->result);
}

static void emit_load_quad(const struct quad *quad) {
  char address[TEXT_SIZE];
  emit_address(address, sizeof address, quad, REGISTER_CX);
  int number = emit_result_register(quad->result,
                                    class_is_floating(quad->class) ? REGISTER_XMM0 : REGISTER_AX);
  emit_load_memory(number, quad->class, address);
  emit_store(number, quad->result);
}

static const char *suffix(int size) {
  return size == 8 ? "q" : size == 4 ? "l" : size == 2 ? "w" : "b";
}

static void emit_store_quad(const struct quad *quad) {
  char address[TEXT_SIZE];
  emit_address(address, sizeof address, quad, REGISTER_CX);
  if (quad->b.kind == OPERAND_IMMEDIATE && emit_is_short(quad->b.value)) {
    output("\tmov%s\t$%ld, %s\n", suffix(class_size(quad->class)), quad->b.value, address);
    return;
  }
  int number = emit_operand_register(quad->b, quad->class,
                                     class_is_floating(quad->class) ? REGISTER_XMM0 : REGISTER_AX);
  emit_store_memory(number, quad->class, address);
}

static void emit_address_quad(const struct quad *quad) {
  char address[TEXT_SIZE];
  emit_address(address, sizeof address, quad, REGISTER_CX);
  int number = emit_result_register(quad->result, REGISTER_AX);
  output("\tleaq\t%s, %s\n", address, register_name(number, 8));
  emit_store(number, quad->result);
}

static const char *integer_instruction(enum op op, bool is_signed_value) {
  switch (op) {
  case OP_ADD:
    return "add";
  case OP_SUBTRACT:
    return "sub";
  case OP_MULTIPLY:
    return "imul";
  case OP_BIT_AND:
    return "and";
  case OP_BIT_OR:
    return "or";
  case OP_BIT_XOR:
    return "xor";
  case OP_SHIFT_LEFT:
    return "shl";
  default:
    return is_signed_value ? "sar" : "shr";
  }
}

static void emit_division(const struct quad *quad) {
  int size = emit_register_size(quad->class);
  char divisor[TEXT_SIZE];
  struct operand b = quad->b;
  emit_load(REGISTER_AX, quad->a, quad->class);
  if (b.kind == OPERAND_IMMEDIATE) {
    emit_load(REGISTER_CX, b, quad->class);
    format_text(divisor, sizeof divisor, "%s", register_name(REGISTER_CX, size));
  } else {
    emit_source(divisor, sizeof divisor, b, quad->class, REGISTER_CX);
  }
  if (emit_is_signed(quad->class))
    output("\t%s\n\tidiv%s\t%s\n", size == 8 ? "cqto" : "cltd", suffix(size), divisor);
  else
    output("\txorl\t%%edx, %%edx\n\tdiv%s\t%s\n", suffix(size), divisor);
  emit_store(quad->operation == OP_DIVIDE ? REGISTER_AX : REGISTER_DX, quad->result);
}

static void emit_shift(const struct quad *quad) {
  int size = emit_register_size(quad->class);
  const char *instruction = integer_instruction(quad->operation, emit_is_signed(quad->class));
  if (quad->b.kind == OPERAND_IMMEDIATE) {
    int number = emit_result_register(quad->result, REGISTER_AX);
    emit_load(number, quad->a, quad->class);
    output("\t%s%s\t$%ld, %s\n", instruction, suffix(size), quad->b.value & (size * 8 - 1),
           register_name(number, size));
    emit_store(number, quad->result);
    return;
  }
  emit_load(REGISTER_CX, quad->b, CLASS_I4);
  emit_load(REGISTER_AX, quad->a, quad->class);
  output("\t%s%s\t%%cl, %s\n", instruction, suffix(size), register_name(REGISTER_AX, size));
  emit_store(REGISTER_AX, quad->result);
}

static const char *floating_instruction(enum op op) {
  switch (op) {
  case OP_ADD:
    return "adds";
  case OP_SUBTRACT:
    return "subs";
  case OP_MULTIPLY:
    return "muls";
  default:
    return "divs";
  }
}

static void emit_floating_binary(const struct quad *quad) {
  char source[TEXT_SIZE];
  emit_source(source, sizeof source, quad->b, quad->class, REGISTER_XMM0 + 1);
  emit_load(REGISTER_XMM0, quad->a, quad->class);
  output("\t%s%s\t%s, %%xmm0\n", floating_instruction(quad->operation),
         quad->class == CLASS_F8 ? "d" : "s", source);
  emit_store(REGISTER_XMM0, quad->result);
}

static void emit_binary(const struct quad *quad) {
  if (class_is_floating(quad->class)) {
    emit_floating_binary(quad);
    return;
  }
  if (quad->operation == OP_DIVIDE || quad->operation == OP_REMAINDER) {
    emit_division(quad);
    return;
  }
  if (quad->operation == OP_SHIFT_LEFT || quad->operation == OP_SHIFT_RIGHT) {
    emit_shift(quad);
    return;
  }
  int size = emit_register_size(quad->class),
      number = emit_result_register(quad->result, REGISTER_AX);
  char source[TEXT_SIZE];
  emit_source(source, sizeof source, quad->b, quad->class, REGISTER_CX);
  if (is_place(quad->b, number))
    number = REGISTER_AX;
  emit_load(number, quad->a, quad->class);
  output("\t%s%s\t%s, %s\n", integer_instruction(quad->operation, true), suffix(size), source,
         register_name(number, size));
  emit_store(number, quad->result);
}

static void emit_unary(const struct quad *quad) {
  int size = emit_register_size(quad->class);
  if (class_is_floating(quad->class)) {
    bool is_double = quad->class == CLASS_F8;
    /* The sign bit changes, also of zero. */
    emit_load(REGISTER_XMM0, quad->a, quad->class);
    output_text(
        is_double
            ? "\tmovabsq\t$-9223372036854775808, %rax\n\tmovq\t%rax, %xmm1\n\txorpd\t%xmm1, %xmm0\n"
            : "\tmovl\t$-2147483648, %eax\n\tmovd\t%eax, %xmm1\n\txorps\t%xmm1, %xmm0\n");
    emit_store(REGISTER_XMM0, quad->result);
    return;
  }
  int number = emit_result_register(quad->result, REGISTER_AX);
  emit_load(number, quad->a, quad->class);
  output("\t%s%s\t%s\n", quad->operation == OP_NEGATE ? "neg" : "not", suffix(size),
         register_name(number, size));
  emit_store(number, quad->result);
}

static const char *condition(enum op op, bool is_signed_value) {
  switch (op) {
  case OP_EQUAL:
    return "e";
  case OP_UNEQUAL:
    return "ne";
  case OP_LESS:
    return is_signed_value ? "l" : "b";
  case OP_LESS_EQUAL:
    return is_signed_value ? "le" : "be";
  case OP_GREATER:
    return is_signed_value ? "g" : "a";
  default:
    return is_signed_value ? "ge" : "ae";
  }
}

/* Compares for "a above b", with the operands of "less" exchanged; returns the condition to test.
 */
static const char *compare_floatings(enum op op, enum class class, struct operand a,
                                     struct operand b) {
  char source[TEXT_SIZE];
  if (op == OP_LESS || op == OP_LESS_EQUAL) {
    struct operand exchanged = a;
    a = b;
    b = exchanged;
    op = op == OP_LESS ? OP_GREATER : OP_GREATER_EQUAL;
  }
  emit_source(source, sizeof source, b, class, REGISTER_XMM0 + 1);
  int number = emit_operand_register(a, class, REGISTER_XMM0);
  output("\tucomis%s\t%s, %s\n", class == CLASS_F8 ? "d" : "s", source, register_name(number, 8));
  return condition(op, false);
}

static const char *compare_integers(enum op op, enum class class, struct operand a,
                                    struct operand b) {
  int size = emit_register_size(class);
  char source[TEXT_SIZE];
  int number = emit_operand_register(a, class, REGISTER_AX);
  if (b.kind == OPERAND_IMMEDIATE && b.value == 0) {
    output("\ttest%s\t%s, %s\n", suffix(size), register_name(number, size),
           register_name(number, size));
  } else {
    emit_source(source, sizeof source, b, class, REGISTER_CX);
    output("\tcmp%s\t%s, %s\n", suffix(size), source, register_name(number, size));
  }
  return condition(op, emit_is_signed(class) || class_size(class) < 4);
}

/* With a NaN, ucomis sets the flags of equality and of parity. */
static void emit_compare(const struct quad *quad) {
  if (class_is_floating(quad->from)) {
    const char *test = compare_floatings(quad->operation, quad->from, quad->a, quad->b);
    output("\tset%s\t%%al\n", test);
    if (quad->operation == OP_EQUAL)
      output_text("\tsetnp\t%cl\n\tandb\t%cl, %al\n");
    else if (quad->operation == OP_UNEQUAL)
      output_text("\tsetp\t%cl\n\torb\t%cl, %al\n");
  } else {
    output("\tset%s\t%%al\n", compare_integers(quad->operation, quad->from, quad->a, quad->b));
  }
  output_text("\tmovzbl\t%al, %eax\n");
  emit_store(REGISTER_AX, quad->result);
}

static void emit_branch(const struct quad *quad) {
  if (!class_is_floating(quad->class)) {
    output("\tj%s\t.L%d\n", compare_integers(quad->operation, quad->class, quad->a, quad->b),
           quad->label);
    return;
  }
  const char *test = compare_floatings(quad->operation, quad->class, quad->a, quad->b);
  if (quad->operation == OP_EQUAL) {
    int end = unit_new_label();
    output("\tjp\t.L%d\n\tje\t.L%d\n.L%d:\n", end, quad->label, end);
    return;
  }
  if (quad->operation == OP_UNEQUAL)
    output("\tjp\t.L%d\n", quad->label);
  output("\tj%s\t.L%d\n", test, quad->label);
}

static void convert_to_floating(const struct quad *quad) {
  const char *kind = quad->class == CLASS_F8 ? "sd" : "ss";
  emit_load(REGISTER_AX, quad->a, quad->from);
  output_text("\txorps\t%xmm0, %xmm0\n");
  if (quad->from == CLASS_U8) {
    /* Halved, with the lost bit kept for rounding, converted and doubled. */
    int large = unit_new_label(), end = unit_new_label();
    output("\ttestq\t%%rax, %%rax\n\tjs\t.L%d\n\tcvtsi2%sq\t%%rax, %%xmm0\n\tjmp\t.L%d\n", large,
           kind, end);
    output(".L%d:\n\tmovq\t%%rax, %%rcx\n\tshrq\t%%rcx\n\tandl\t$1, %%eax\n\torq\t%%rax, %%rcx\n",
           large);
    output("\tcvtsi2%sq\t%%rcx, %%xmm0\n\tadd%s\t%%xmm0, %%xmm0\n.L%d:\n", kind, kind, end);
  } else if (quad->from == CLASS_U4) {
    output("\tmovl\t%%eax, %%eax\n\tcvtsi2%sq\t%%rax, %%xmm0\n", kind);
  } else {
    output("\tcvtsi2%s%s\t%s, %%xmm0\n", kind, quad->from == CLASS_I8 ? "q" : "l",
           register_name(REGISTER_AX, quad->from == CLASS_I8 ? 8 : 4));
  }
  emit_store(REGISTER_XMM0, quad->result);
}

static void convert_from_floating(const struct quad *quad) {
  const char *kind = quad->from == CLASS_F8 ? "sd" : "ss";
  emit_load(REGISTER_XMM0, quad->a, quad->from);
  if (quad->class == CLASS_U8) {
    /* From 2 to the 63rd on: less that much, which is put back as the highest bit. */
    int large = unit_new_label(), end = unit_new_label();
    output_text(quad->from == CLASS_F8
                    ? "\tmovabsq\t$4890909195324358656, %rax\n\tmovq\t%rax, %xmm1\n"
                    : "\tmovl\t$1593835520, %eax\n\tmovd\t%eax, %xmm1\n");
    output("\tucomi%s\t%%xmm1, %%xmm0\n\tjae\t.L%d\n", kind, large);
    output("\tcvtt%s2siq\t%%xmm0, %%rax\n\tjmp\t.L%d\n", kind, end);
    output(".L%d:\n\tsub%s\t%%xmm1, %%xmm0\n\tcvtt%s2siq\t%%xmm0, %%rax\n", large, kind, kind);
    output("\tbtcq\t$63, %%rax\n.L%d:\n", end);
  } else {
    bool is_wide = quad->class == CLASS_I8 || quad->class == CLASS_U4;
    output("\tcvtt%s2si%s\t%%xmm0, %s\n", kind, is_wide ? "q" : "l", is_wide ? "%rax" : "%eax");
    emit_extend(REGISTER_AX, quad->class);
  }
  emit_store(REGISTER_AX, quad->result);
}

static void convert_integer(const struct quad *quad) {
  if (class_size(quad->class) == 8 && class_size(quad->from) < 8) {
    emit_load(REGISTER_AX, quad->a, quad->from);
    output_text(quad->from == CLASS_U4 ? "\tmovl\t%eax, %eax\n" : "\tcltq\n");
  } else if (class_size(quad->from) == 8 && quad->a.kind == OPERAND_REGISTER) {
    int number = emit_operand_register(quad->a, quad->from, REGISTER_AX);
    output("\tmovl\t%s, %%eax\n", register_name(number, 4));
    emit_extend(REGISTER_AX, quad->class);
  } else {
    emit_load(REGISTER_AX, quad->a, quad->from);
    emit_extend(REGISTER_AX, quad->class);
  }
  emit_store(REGISTER_AX, quad->result);
}

static void emit_convert(const struct quad *quad) {
  bool is_from_floating = class_is_floating(quad->from),
       is_to_floating = class_is_floating(quad->class);
  if (is_from_floating && is_to_floating) {
    emit_load(REGISTER_XMM0, quad->a, quad->from);
    output_text(quad->from == CLASS_F4 ? "\tcvtss2sd\t%xmm0, %xmm0\n"
                                       : "\tcvtsd2ss\t%xmm0, %xmm0\n");
    emit_store(REGISTER_XMM0, quad->result);
  } else if (is_to_floating) {
    convert_to_floating(quad);
  } else if (is_from_floating) {
    convert_from_floating(quad);
  } else {
    convert_integer(quad);
  }
}

/* The operands are in no register that the instructions change before they are read: see
 * destroys_registers. */
static void emit_block(const struct quad *quad) {
  emit_load(REGISTER_DI, quad->a, CLASS_U8);
  if (quad->op == QUAD_COPY)
    emit_load(REGISTER_SI, quad->b, CLASS_U8);
  else
    output_text("\txorl\t%eax, %eax\n");
  bool is_words = quad->offset % 8 == 0;
  output("\tmovl\t$%ld, %%ecx\n\trep\n\t%s%s\n", is_words ? quad->offset / 8 : quad->offset,
         quad->op == QUAD_COPY ? "movs" : "stos", is_words ? "q" : "b");
}

static void emit_return(const struct quad *quad) {
  bool is_floating = class_is_floating(quad->class);
  if (quad->a.kind != OPERAND_NONE) {
    emit_load(is_floating ? REGISTER_XMM0 : REGISTER_AX, quad->a, quad->class);
  }
  if (quad->next)
    output("\tjmp\t.L%d\n", code->return_label);
}

static void emit_float_constant(const struct quad *quad) {
  char address[TEXT_SIZE];
  format_text(address, sizeof address, ".L%d(%%rip)", quad->label);
  int number = emit_result_register(quad->result, REGISTER_XMM0);
  emit_load_memory(number, quad->class, address);
  emit_store(number, quad->result);
}

void emit_quad(const struct quad *quad) {
  switch (quad->op) {
  case QUAD_MOVE:
    emit_move(quad);
    break;
  case QUAD_FLOAT:
    emit_float_constant(quad);
    break;
  case QUAD_ADDRESS:
    emit_address_quad(quad);
    break;
  case QUAD_LOAD:
    emit_load_quad(quad);
    break;
  case QUAD_STORE:
    emit_store_quad(quad);
    break;
  case QUAD_COPY:
  case QUAD_CLEAR:
    emit_block(quad);
    break;
  case QUAD_BINARY:
    emit_binary(quad);
    break;
  case QUAD_UNARY:
    emit_unary(quad);
    break;
  case QUAD_CONVERT:
    emit_convert(quad);
    break;
  case QUAD_COMPARE:
    emit_compare(quad);
    break;
  case QUAD_BRANCH:
    emit_branch(quad);
    break;
  case QUAD_JUMP:
    if (!quad->next || quad->next->op != QUAD_LABEL || quad->next->label != quad->label)
      output("\tjmp\t.L%d\n", quad->label);
    break;
  case QUAD_LABEL:
    output(".L%d:\n", quad->label);
    break;
  case QUAD_CALL:
    emit_call(quad);
    break;
  case QUAD_RETURN:
    emit_return(quad);
    break;
  case QUAD_VA_START:
    emit_va_start(quad);
    break;
  case QUAD_VA_ARG:
    emit_va_arg(quad);
    break;
  }
}
