/* SPDX-License-Identifier: MIT */
/* allocate.c - registers for the values of a function, by linear scan over live intervals.
 *
 * An interval is the stretch of instructions, without holes, in which a value is needed.  Registers
 * that a call destroys go only to intervals that no call lies within; those that pass arguments
 * only to intervals that do not even touch one.  Values that get no register have a slot in the
 * frame.
 */
#include "code.h"
#include "machine.h"

struct block {
  struct block *sameregion next;
  struct quad *sameregion first;
  struct quad *sameregion last;
  struct block *sameregion successors[2];
  uint64_t *sameregion live_in;
  uint64_t *sameregion live_out;
  uint64_t *sameregion defined;
};

struct interval {
  struct interval *sameregion next;
  int value, start, end;
  bool is_within_call, is_at_call;
};

/* In the function's region, as all that it points to. */
struct allocation {
  struct block *sameregion blocks;
  struct block *sameregion *sameregion block_of_label;
  struct interval *sameregion intervals;            /* one for each value */
  struct interval *sameregion *sameregion starting; /* the intervals that start at each position */
  struct interval *sameregion active;               /* by end, the first to end first */
  int *sameregion use_counts;
  int *sameregion calls_before; /* each position: the calls at lower ones */
  int label_base, word_count, position_count;
  bool is_taken[REGISTER_COUNT];
};

typedef void visitor(struct allocation *allocation, struct block *block, int value, int position);

static void visit_operand(struct allocation *allocation, struct block *block,
                          struct operand operand, int position, visitor *visit) {
  if (operand.kind == OPERAND_REGISTER)
    visit(allocation, block, (int)operand.value, position);
}

static void visit_uses(struct allocation *allocation, struct block *block, const struct quad *quad,
                       visitor *visit) {
  visit_operand(allocation, block, quad->a, quad->position, visit);
  visit_operand(allocation, block, quad->b, quad->position, visit);
  for (const struct argument *argument = quad->arguments; argument; argument = argument->next)
    visit_operand(allocation, block, argument->operand, quad->position, visit);
}

static void remove_quad(struct quad *quad) {
  struct quad *next = quad->next, *previous = quad->previous;
  if (next)
    next->previous = previous;
  else
    code->last = previous;
  if (previous)
    previous->next = next;
  else
    code->first = next;
}

static void count_use(struct allocation *allocation, struct block *block, int value, int position) {
  (void)block;
  (void)position;
  allocation->use_counts[value]++;
}

static void discount_use(struct allocation *allocation, struct block *block, int value,
                         int position) {
  (void)block;
  (void)position;
  allocation->use_counts[value]--;
}

static bool is_pure(const struct quad *quad) {
  switch (quad->op) {
  case QUAD_MOVE:
  case QUAD_FLOAT:
  case QUAD_ADDRESS:
  case QUAD_LOAD:
  case QUAD_BINARY:
  case QUAD_UNARY:
  case QUAD_CONVERT:
  case QUAD_COMPARE:
    return true;
  default:
    return false;
  }
}

/* Instructions whose result nobody uses, and those that are never reached, go. */
static void remove_dead(struct allocation *allocation) {
  bool is_reached = true;
  for (struct quad *quad = code->first; quad; quad = quad->next) {
    if (quad->op == QUAD_LABEL)
      is_reached = true;
    if (!is_reached)
      remove_quad(quad);
    else
      visit_uses(allocation, NULL, quad, count_use);
    if (quad->op == QUAD_JUMP || quad->op == QUAD_RETURN)
      is_reached = false;
  }
  for (struct quad *quad = code->last; quad; quad = quad->previous) {
    if (!is_pure(quad) || allocation->use_counts[quad->result] > 0 ||
        code_is_in_memory(&code->values[quad->result]))
      continue;
    visit_uses(allocation, NULL, quad, discount_use);
    remove_quad(quad);
  }
}

static bool ends_block(const struct quad *quad) {
  return quad->op == QUAD_JUMP || quad->op == QUAD_BRANCH || quad->op == QUAD_RETURN ||
         !quad->next || quad->next->op == QUAD_LABEL;
}

static void make_blocks(struct allocation *allocation) {
  region r = regionof(allocation);
  struct block *last = NULL;
  int position = 0;
  for (struct quad *quad = code->first; quad;) {
    struct block *block = ralloc(r, struct block);
    block->first = quad;
    block->live_in = rarrayalloc(r, (size_t)allocation->word_count, uint64_t);
    block->live_out = rarrayalloc(r, (size_t)allocation->word_count, uint64_t);
    block->defined = rarrayalloc(r, (size_t)allocation->word_count, uint64_t);
    if (last)
      last->next = block;
    else
      allocation->blocks = block;
    last = block;
    for (quad->position = ++position; !ends_block(quad); quad->position = ++position) {
      if (quad->op == QUAD_LABEL)
        allocation->block_of_label[quad->label - allocation->label_base] = block;
      quad = quad->next;
    }
    if (quad->op == QUAD_LABEL)
      allocation->block_of_label[quad->label - allocation->label_base] = block;
    block->last = quad;
    quad = quad->next;
  }
  allocation->position_count = position + 2;
}

static void link_blocks(struct allocation *allocation) {
  for (struct block *block = allocation->blocks; block; block = block->next) {
    const struct quad *quad = block->last;
    if (quad->op == QUAD_JUMP || quad->op == QUAD_BRANCH)
      block->successors[0] = allocation->block_of_label[quad->label - allocation->label_base];
    if (quad->op != QUAD_JUMP && quad->op != QUAD_RETURN)
      block->successors[1] = block->next;
  }
}

static void use_in_block(struct allocation *allocation, struct block *block, int value,
                         int position) {
  (void)allocation;
  (void)position;
  if (!(block->defined[value / 64] >> (value % 64) & 1))
    block->live_in[value / 64] |= (uint64_t)1 << (value % 64);
}

/* live_out of block, and with it live_in, from its successors; whether they grew. */
static bool flow_into(const struct allocation *allocation, struct block *block) {
  bool has_changed = false;
  for (int i = 0; i < 2; i++) {
    const struct block *successor = block->successors[i];
    for (int word = 0; successor && word < allocation->word_count; word++) {
      uint64_t added = successor->live_in[word] & ~block->live_out[word];
      if (!added)
        continue;
      block->live_out[word] |= added;
      uint64_t passed = added & ~block->defined[word] & ~block->live_in[word];
      block->live_in[word] |= passed;
      has_changed |= passed != 0;
    }
  }
  return has_changed;
}

/* The blocks in reverse, each pointing to the one before it, so that most facts flow in one pass.
 */
static void compute_liveness(struct allocation *allocation) {
  size_t count = 0;
  for (struct block *block = allocation->blocks; block; block = block->next) {
    for (const struct quad *quad = block->first;; quad = quad->next) {
      visit_uses(allocation, block, quad, use_in_block);
      if (quad->result >= 0)
        block->defined[quad->result / 64] |= (uint64_t)1 << (quad->result % 64);
      if (quad == block->last)
        break;
    }
    count++;
  }
  struct block *sameregion *order =
      rarrayalloc(regionof(allocation), count, struct block *sameregion);
  size_t i = count;
  for (struct block *block = allocation->blocks; block; block = block->next)
    order[--i] = block;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (i = 0; i < count; i++)
      has_changed |= flow_into(allocation, order[i]);
  }
}

static void extend(struct allocation *allocation, struct block *block, int value, int position) {
  (void)block;
  struct interval *interval = &allocation->intervals[value];
  if (interval->start > position)
    interval->start = position;
  if (interval->end < position)
    interval->end = position;
}

static void extend_set(struct allocation *allocation, const uint64_t *set, int position) {
  for (int word = 0; word < allocation->word_count; word++) {
    int value = word * 64;
    for (uint64_t rest = set[word]; rest; rest >>= 1, value++)
      if (rest & 1)
        extend(allocation, NULL, value, position);
  }
}

static bool destroys_registers(const struct quad *quad) {
  return quad->op == QUAD_CALL || quad->op == QUAD_COPY || quad->op == QUAD_CLEAR;
}

static void make_intervals(struct allocation *allocation) {
  for (int i = 0; i < code->value_count; i++) {
    allocation->intervals[i].value = i;
    allocation->intervals[i].start = allocation->position_count;
    allocation->intervals[i].end = -1;
  }
  for (const struct incoming *incoming = code->incoming; incoming; incoming = incoming->next)
    if (allocation->use_counts[incoming->value] > 0)
      extend(allocation, NULL, incoming->value, 0);
  allocation->calls_before =
      rarrayalloc(regionof(allocation), (size_t)allocation->position_count + 2, int);
  for (struct block *block = allocation->blocks; block; block = block->next) {
    extend_set(allocation, block->live_in, block->first->position);
    extend_set(allocation, block->live_out, block->last->position);
    for (const struct quad *quad = block->first;; quad = quad->next) {
      visit_uses(allocation, block, quad, extend);
      if (quad->result >= 0)
        extend(allocation, block, quad->result, quad->position);
      allocation->calls_before[quad->position + 1] = destroys_registers(quad);
      if (quad == block->last)
        break;
    }
  }
  for (int i = 1; i < allocation->position_count + 2; i++)
    allocation->calls_before[i] += allocation->calls_before[i - 1];
}

static void sort_intervals(struct allocation *allocation) {
  allocation->starting = rarrayalloc(regionof(allocation), (size_t)allocation->position_count + 1,
                                     struct interval *sameregion);
  for (int i = code->value_count - 1; i >= 0; i--) {
    struct interval *interval = &allocation->intervals[i];
    if (interval->end < 0 || code_is_in_memory(&code->values[i]))
      continue;
    const int *calls = allocation->calls_before;
    interval->is_within_call =
        interval->end > interval->start && calls[interval->end] > calls[interval->start + 1];
    interval->is_at_call = calls[interval->end + 1] > calls[interval->start];
    interval->next = allocation->starting[interval->start];
    allocation->starting[interval->start] = interval;
  }
}

static bool is_allowed(const struct interval *interval, int place) {
  bool is_floating = class_is_floating(code->values[interval->value].class);
  if (is_floating != (place >= REGISTER_XMM0))
    return false;
  if (register_is_saved(place))
    return true;
  return register_is_argument(place) ? !interval->is_at_call : !interval->is_within_call;
}

static int find_register(const struct allocation *allocation, const struct interval *interval) {
  for (int i = 0; i < register_pool_size; i++)
    if (!allocation->is_taken[register_pool[i]] && is_allowed(interval, register_pool[i]))
      return register_pool[i];
  return -1;
}

static void activate(struct allocation *allocation, struct interval *interval, int place) {
  struct interval *before = NULL, *after = allocation->active;
  code->values[interval->value].place = place;
  allocation->is_taken[place] = true;
  for (; after && after->end < interval->end; after = after->next)
    before = after;
  interval->next = after;
  if (before)
    before->next = interval;
  else
    allocation->active = interval;
}

static void expire(struct allocation *allocation, int position) {
  struct interval *interval = allocation->active;
  for (; interval && interval->end <= position; interval = interval->next)
    allocation->is_taken[code->values[interval->value].place] = false;
  allocation->active = interval;
}

/* No register is free: of the intervals that could give theirs, and this one, the last to end goes
 * to memory. */
static void spill(struct allocation *allocation, struct interval *interval) {
  struct interval *before = NULL, *victim = NULL, *before_victim = NULL;
  for (struct interval *other = allocation->active; other; before = other, other = other->next) {
    if (is_allowed(interval, code->values[other->value].place)) {
      victim = other;
      before_victim = before;
    }
  }
  if (!victim || victim->end <= interval->end)
    return;
  int place = code->values[victim->value].place;
  code->values[victim->value].place = -1;
  if (before_victim)
    before_victim->next = victim->next;
  else
    allocation->active = victim->next;
  activate(allocation, interval, place);
}

static void scan(struct allocation *allocation) {
  for (int position = 0; position <= allocation->position_count; position++) {
    for (struct interval *interval = allocation->starting[position], *next; interval;
         interval = next) {
      next = interval->next;
      expire(allocation, position);
      int place = find_register(allocation, interval);
      if (place >= 0)
        activate(allocation, interval, place);
      else
        spill(allocation, interval);
    }
  }
}

static void assign_slots(const struct allocation *allocation) {
  for (int i = 0; i < code->value_count; i++) {
    struct value *value = &code->values[i];
    bool is_needed =
        value->place < 0 && (allocation->intervals[i].end >= 0 || code_is_in_memory(value));
    if (value->place >= 0 && register_is_saved(value->place))
      code->used_registers |= 1u << value->place;
    if (is_needed || value->has_slot) {
      long align = value->symbol ? value->symbol->type->align : class_size(value->class);
      long size = value->symbol ? type_size(value->symbol->type) : value->size;
      code->frame_size = (code->frame_size + size + align - 1) / align * align;
      value->offset = -code->frame_size;
    }
  }
}

void code_allocate_registers(void) {
  region r = regionof(code);
  struct allocation *allocation = ralloc(r, struct allocation);
  allocation->word_count = (code->value_count + 63) / 64;
  allocation->label_base = code->return_label;
  allocation->use_counts = rarrayalloc(r, (size_t)code->value_count + 1, int);
  allocation->intervals = rarrayalloc(r, (size_t)code->value_count + 1, struct interval);
  allocation->block_of_label = rarrayalloc(
      r, (size_t)(unit->label_count - allocation->label_base) + 1, struct block *sameregion);
  remove_dead(allocation);
  make_blocks(allocation);
  link_blocks(allocation);
  compute_liveness(allocation);
  make_intervals(allocation);
  sort_intervals(allocation);
  scan(allocation);
  for (const struct incoming *incoming = code->incoming; incoming; incoming = incoming->next)
    code->values[incoming->value].has_slot = true;
  assign_slots(allocation);
}
