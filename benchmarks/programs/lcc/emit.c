/* SPDX-License-Identifier: MIT */
/* emit.c - x86-64 assembly for the instructions of a function, registers having been allocated.
 *
 * A value of less than four bytes is kept in a register extended to four, according to its sign; in
 * memory it has its own size.  The upper half of a register that holds four bytes is arbitrary.
 */
#include "emit.h"

const struct value *emit_value(int number) { return &code->values[number]; }

static bool is_in_register(struct operand operand) {
  return operand.kind == OPERAND_REGISTER && emit_value((int)operand.value)->place >= 0;
}

int emit_register_size(enum class class) { return class_size(class) == 8 ? 8 : 4; }

static bool is_signed(enum class class) {
  return class == CLASS_I1 || class == CLASS_I2 || class == CLASS_I4 || class == CLASS_I8;
}

static const char *load_instruction(enum class class) {
  switch (class) {
  case CLASS_I1:
    return "movsbl";
  case CLASS_U1:
    return "movzbl";
  case CLASS_I2:
    return "movswl";
  case CLASS_U2:
    return "movzwl";
  case CLASS_I4:
  case CLASS_U4:
    return "movl";
  case CLASS_F4:
    return "movss";
  case CLASS_F8:
    return "movsd";
  default:
    return "movq";
  }
}

static const char *store_instruction(enum class class) {
  switch (class_size(class)) {
  case 1:
    return "movb";
  case 2:
    return "movw";
  case 4:
    return class == CLASS_F4 ? "movss" : "movl";
  default:
    return class == CLASS_F8 ? "movsd" : "movq";
  }
}

void emit_load_memory(int number, enum class class, const char *address) {
  output("\t%s\t%s, %s\n", load_instruction(class), address,
         register_name(number, emit_register_size(class)));
}

void emit_store_memory(int number, enum class class, const char *address) {
  output("\t%s\t%s, %s\n", store_instruction(class), register_name(number, class_size(class)),
         address);
}

const char *emit_slot(int number) {
  static char texts[4][32];
  static int next;
  char *text = texts[next++ % 4];
  format_text(text, sizeof texts[0], "%ld(%%rbp)", emit_value(number)->offset);
  return text;
}

static void load_immediate(int number, long value, int size) {
  if (value == 0)
    output("\txorl\t%s, %s\n", register_name(number, 4), register_name(number, 4));
  else if (size == 4)
    output("\tmovl\t$%d, %s\n", (int)value, register_name(number, 4));
  else if (value >= 0 && value <= 0xffffffffL)
    output("\tmovl\t$%lu, %s\n", (unsigned long)value, register_name(number, 4));
  else
    output("\t%s\t$%ld, %s\n", emit_is_short(value) ? "movq" : "movabsq", value,
           register_name(number, 8));
}

bool emit_is_short(long value) { return value == (int)value; }

void emit_load(int number, struct operand operand, enum class class) {
  if (operand.kind == OPERAND_IMMEDIATE) {
    load_immediate(number, operand.value, emit_register_size(class));
    return;
  }
  const struct value *value = emit_value((int)operand.value);
  if (value->place < 0)
    emit_load_memory(number, value->class, emit_slot((int)operand.value));
  else if (value->place != number && class_is_floating(value->class))
    output("\tmovaps\t%s, %s\n", register_name(value->place, 8), register_name(number, 8));
  else if (value->place != number) {
    int size = emit_register_size(value->class);
    output("\t%s\t%s, %s\n", size == 8 ? "movq" : "movl", register_name(value->place, size),
           register_name(number, size));
  }
}

void emit_store(int number, int result) {
  const struct value *value = emit_value(result);
  if (value->place < 0)
    emit_store_memory(number, value->class, emit_slot(result));
  else if (value->place != number && class_is_floating(value->class))
    output("\tmovaps\t%s, %s\n", register_name(number, 8), register_name(value->place, 8));
  else if (value->place != number) {
    int size = emit_register_size(value->class);
    output("\t%s\t%s, %s\n", size == 8 ? "movq" : "movl", register_name(number, size),
           register_name(value->place, size));
  }
}

int emit_operand_register(struct operand operand, enum class class, int scratch) {
  if (is_in_register(operand))
    return emit_value((int)operand.value)->place;
  emit_load(scratch, operand, class);
  return scratch;
}

int emit_result_register(int result, int scratch) {
  int place = emit_value(result)->place;
  return place >= 0 ? place : scratch;
}

void emit_source(char *text, size_t size, struct operand operand, enum class class, int scratch) {
  if (operand.kind == OPERAND_IMMEDIATE && emit_is_short(operand.value)) {
    format_text(text, size, "$%ld", operand.value);
    return;
  }
  if (operand.kind == OPERAND_REGISTER) {
    const struct value *value = emit_value((int)operand.value);
    if (value->place < 0 && class_size(value->class) >= 4) {
      format_text(text, size, "%s", emit_slot((int)operand.value));
      return;
    }
  }
  int number = emit_operand_register(operand, class, scratch);
  format_text(text, size, "%s", register_name(number, emit_register_size(class)));
}

void emit_extend(int number, enum class class) {
  if (class_size(class) < 4)
    output("\t%s\t%s, %s\n", load_instruction(class), register_name(number, class_size(class)),
           register_name(number, 4));
}

void emit_address(char *text, size_t size, const struct quad *quad, int scratch) {
  if (quad->a.kind != OPERAND_NONE) {
    int base = emit_operand_register(quad->a, CLASS_U8, scratch);
    format_text(text, size, "%ld(%s)", quad->offset, register_name(base, 8));
  } else if (quad->symbol && quad->symbol->is_local) {
    format_text(text, size, "%ld(%%rbp)", emit_value(quad->symbol->local)->offset + quad->offset);
  } else if (quad->symbol) {
    format_text(text, size, "%s%+ld(%%rip)", symbol_assembly_name(quad->symbol), quad->offset);
  } else {
    format_text(text, size, ".L%d%+ld(%%rip)", quad->label, quad->offset);
  }
}

static const int integer_registers[] = {REGISTER_DI, REGISTER_SI, REGISTER_DX,
                                        REGISTER_CX, REGISTER_8,  REGISTER_9};
enum { INTEGER_REGISTERS = 6, FLOAT_REGISTERS = 8, SAVE_AREA = 176, SAVE_FLOATS = 48 };

/* Where the unnamed arguments of a variadic function begin. */
static struct {
  int integer_count, float_count, stack_count;
  long save_area;
} variadic;

/* Arguments first go to their values' slots, so that none is overwritten before it has been saved.
 */
static void store_incoming(void) {
  int integers = 0, floats = 0, on_stack = 0;
  char address[40];
  for (const struct incoming *incoming = code->incoming; incoming; incoming = incoming->next) {
    const struct value *value = emit_value(incoming->value);
    int number;
    if (class_is_floating(value->class) && floats < FLOAT_REGISTERS) {
      number = REGISTER_XMM0 + floats++;
    } else if (!class_is_floating(value->class) && integers < INTEGER_REGISTERS) {
      number = integer_registers[integers++];
    } else {
      format_text(address, sizeof address, "%d(%%rbp)", 16 + 8 * on_stack++);
      number = class_is_floating(value->class) ? REGISTER_XMM0 + 15 : REGISTER_AX;
      emit_load_memory(number, value->class, address);
    }
    emit_store_memory(number, value->class, emit_slot(incoming->value));
  }
  for (const struct incoming *incoming = code->incoming; incoming; incoming = incoming->next) {
    const struct value *value = emit_value(incoming->value);
    if (value->place >= 0)
      emit_load_memory(value->place, value->class, emit_slot(incoming->value));
  }
  variadic.integer_count = integers;
  variadic.float_count = floats;
  variadic.stack_count = on_stack;
}

static void save_variadic(void) {
  for (int i = 0; i < INTEGER_REGISTERS; i++)
    output("\tmovq\t%s, %ld(%%rbp)\n", register_name(integer_registers[i], 8),
           variadic.save_area + 8 * i);
  for (int i = 0; i < FLOAT_REGISTERS; i++)
    output("\tmovaps\t%%xmm%d, %ld(%%rbp)\n", i, variadic.save_area + SAVE_FLOATS + 16 * i);
}

static void move_saved_registers(bool is_restored, long offset) {
  for (int i = 0; i < REGISTER_XMM0; i++) {
    if (!(code->used_registers >> i & 1))
      continue;
    if (is_restored)
      output("\tmovq\t%ld(%%rbp), %s\n", offset, register_name(i, 8));
    else
      output("\tmovq\t%s, %ld(%%rbp)\n", register_name(i, 8), offset);
    offset += 8;
  }
}

struct call_layout {
  int integers, floats, on_stack;
};

static bool is_passed_in_register(struct call_layout *layout, enum class class) {
  if (class_is_floating(class) ? layout->floats < FLOAT_REGISTERS
                               : layout->integers < INTEGER_REGISTERS) {
    if (class_is_floating(class))
      layout->floats++;
    else
      layout->integers++;
    return true;
  }
  layout->on_stack++;
  return false;
}

static void store_stack_arguments(const struct quad *quad) {
  struct call_layout layout = {0, 0, 0};
  char address[32];
  for (const struct argument *argument = quad->arguments; argument; argument = argument->next) {
    if (is_passed_in_register(&layout, argument->class))
      continue;
    bool is_floating = class_is_floating(argument->class);
    int number = emit_operand_register(argument->operand, argument->class,
                                       is_floating ? REGISTER_XMM0 : REGISTER_AX);
    format_text(address, sizeof address, "%d(%%rsp)", 8 * (layout.on_stack - 1));
    emit_store_memory(number,
                      is_floating || class_size(argument->class) == 8 ? argument->class : CLASS_I4,
                      address);
  }
}

static void load_register_arguments(const struct quad *quad) {
  struct call_layout layout = {0, 0, 0};
  for (const struct argument *argument = quad->arguments; argument; argument = argument->next) {
    if (!is_passed_in_register(&layout, argument->class))
      continue;
    bool is_floating = class_is_floating(argument->class);
    int number =
        is_floating ? REGISTER_XMM0 + layout.floats - 1 : integer_registers[layout.integers - 1];
    emit_load(number, argument->operand, argument->class);
  }
}

void emit_call(const struct quad *quad) {
  struct call_layout layout = {0, 0, 0};
  for (const struct argument *argument = quad->arguments; argument; argument = argument->next)
    is_passed_in_register(&layout, argument->class);
  int stack_size = (layout.on_stack * 8 + 15) & ~15;
  if (stack_size) {
    output("\tsubq\t$%d, %%rsp\n", stack_size);
    store_stack_arguments(quad);
  }
  load_register_arguments(quad);
  if (!quad->symbol)
    emit_load(REGISTER_11, quad->a, CLASS_U8);
  if (quad->is_variadic)
    output("\tmovl\t$%d, %%eax\n", layout.floats);
  if (quad->symbol && !quad->symbol->is_local)
    output("\tcall\t%s\n", symbol_assembly_name(quad->symbol));
  else
    output_text("\tcall\t*%r11\n");
  if (stack_size)
    output("\taddq\t$%d, %%rsp\n", stack_size);
  if (quad->result < 0)
    return;
  if (!class_is_floating(quad->class))
    emit_extend(REGISTER_AX, quad->class);
  emit_store(class_is_floating(quad->class) ? REGISTER_XMM0 : REGISTER_AX, quad->result);
}

void emit_va_start(const struct quad *quad) {
  int list = emit_operand_register(quad->a, CLASS_U8, REGISTER_AX);
  const char *name = register_name(list, 8);
  output("\tmovl\t$%d, (%s)\n", 8 * variadic.integer_count, name);
  output("\tmovl\t$%d, 4(%s)\n", SAVE_FLOATS + 16 * variadic.float_count, name);
  output("\tleaq\t%d(%%rbp), %%rcx\n\tmovq\t%%rcx, 8(%s)\n", 16 + 8 * variadic.stack_count, name);
  output("\tleaq\t%ld(%%rbp), %%rcx\n\tmovq\t%%rcx, 16(%s)\n", variadic.save_area, name);
}

void emit_va_arg(const struct quad *quad) {
  bool is_floating = class_is_floating(quad->from);
  int on_stack = unit_new_label(), end = unit_new_label(), offset = is_floating ? 4 : 0;
  const char *name = register_name(emit_operand_register(quad->a, CLASS_U8, REGISTER_AX), 8);
  output("\tmovl\t%d(%s), %%ecx\n", offset, name);
  output("\tcmpl\t$%d, %%ecx\n\tjae\t.L%d\n", is_floating ? SAVE_AREA : SAVE_FLOATS, on_stack);
  output("\taddq\t16(%s), %%rcx\n\taddl\t$%d, %d(%s)\n", name, is_floating ? 16 : 8, offset, name);
  output("\tjmp\t.L%d\n.L%d:\n", end, on_stack);
  output("\tmovq\t8(%s), %%rcx\n\tleaq\t8(%%rcx), %%rdx\n\tmovq\t%%rdx, 8(%s)\n.L%d:\n", name, name,
         end);
  int number = emit_result_register(quad->result, is_floating ? REGISTER_XMM0 : REGISTER_AX);
  emit_load_memory(number, quad->from, "(%rcx)");
  emit_store(number, quad->result);
}

void code_output(void) {
  const char *name = symbol_assembly_name(code->symbol);
  if (code->is_variadic) {
    code->frame_size = (code->frame_size + SAVE_AREA + 15) & ~15L;
    variadic.save_area = -code->frame_size;
  }
  for (unsigned rest = code->used_registers; rest; rest &= rest - 1)
    code->frame_size += 8;
  code->frame_size = (code->frame_size + 15) & ~15L;
  long saved = -code->frame_size;
  output_text("\t.text\n");
  if (!code->symbol->is_static)
    output("\t.globl\t%s\n", name);
  output("\t.type\t%s, @function\n%s:\n\tpushq\t%%rbp\n\tmovq\t%%rsp, %%rbp\n", name, name);
  if (code->frame_size)
    output("\tsubq\t$%ld, %%rsp\n", code->frame_size);
  move_saved_registers(false, saved);
  if (code->is_variadic)
    save_variadic();
  store_incoming();
  for (const struct quad *quad = code->first; quad; quad = quad->next)
    emit_quad(quad);
  output(".L%d:\n", code->return_label);
  move_saved_registers(true, saved);
  output("\tleave\n\tret\n\t.size\t%s, .-%s\n", name, name);
}

bool emit_is_signed(enum class class) { return is_signed(class); }
