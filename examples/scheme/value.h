/* SPDX-License-Identifier: MIT */
/* value.h - what a Scheme value is: an object in the arena that is open.
 *
 * Every object begins with a struct object.  All objects that can be reached from one lie in the
 * same arena, so their pointers are sameregion: storing one of another arena is an error where it
 * happens, which keeps the collector's two arenas apart.  There are few shapes, for the collector's
 * sake; most kinds are slots.  Small integers, ASCII characters and the constants exist once in
 * each arena.
 */
#ifndef SCHEME_VALUE_H
#define SCHEME_VALUE_H

#include "memory.h"

enum kind {
  KIND_NIL = 1,
  KIND_FALSE,
  KIND_TRUE,
  KIND_UNSPECIFIED,
  KIND_EOF,
  KIND_UNBOUND,   /* the value of a variable that has none */
  KIND_FIXNUM,    /* struct number */
  KIND_CHARACTER, /* struct number */
  KIND_PRIMITIVE, /* struct number: index of the table of primitives */
  KIND_FORM,      /* struct number: enum form, a word of the language */
  KIND_FLONUM,
  KIND_PAIR,
  KIND_STRING,
  KIND_BYTEVECTOR,
  KIND_SYMBOL,
  KIND_CODE,
  KIND_POINT, /* where a call returns to */
  KIND_MACHINE,
  KIND_VECTOR,       /* from here on: struct slots */
  KIND_FRAME,        /* variables of a call: FRAME_PARENT, then the variables */
  KIND_PROCEDURE,    /* PROCEDURE_... */
  KIND_CONTINUATION, /* CONTINUATION_..., then the stack */
  KIND_VALUES,       /* not one value */
  KIND_RECORD,       /* its type, then the fields */
  KIND_RECORD_TYPE,  /* name, then the names of fields */
  KIND_CONDITION,    /* CONDITION_... */
  KIND_PROMISE,      /* PROMISE_... */
  KIND_PARAMETER,    /* value, converter */
  KIND_PORT,         /* PORT_... */
  KIND_ALIAS,        /* a name that a macro put in: ALIAS_... */
  KIND_MACRO,        /* MACRO_... */
  KIND_SCOPE         /* of the compiler: SCOPE_... */
};

enum { PROCEDURE_CODE, PROCEDURE_FRAME, PROCEDURE_SLOTS };
enum { CONTINUATION_WINDERS, CONTINUATION_HANDLERS, CONTINUATION_STACK };
enum {
  CONDITION_MESSAGE,
  CONDITION_IRRITANTS,
  CONDITION_FILE,
  CONDITION_LINE,
  CONDITION_TYPE,
  CONDITION_SLOTS
};
enum { PROMISE_IS_DONE, PROMISE_VALUE, PROMISE_SLOTS };
enum { PARAMETER_VALUE, PARAMETER_CONVERTER, PARAMETER_SLOTS };
enum { ALIAS_NAME, ALIAS_SCOPE, ALIAS_SLOTS };
enum { MACRO_SCOPE, MACRO_ELLIPSIS, MACRO_LITERALS, MACRO_RULES, MACRO_SLOTS };
enum { FRAME_PARENT, FRAME_VARIABLES };

struct object {
  unsigned kind : 8;
  unsigned line : 24; /* of a pair that was read: where; 0: not known */
  uint32_t forward;   /* during a collection: number of the copy; else 0 */
};

struct number {
  struct object head;
  int64_t value;
};

struct flonum {
  struct object head;
  double value;
};

struct pair {
  struct object head;
  struct object *sameregion car;
  struct object *sameregion cdr;
};

/* Characters by number: any one is found at once. */
struct string {
  struct object head;
  size_t length;
  uint32_t characters[];
};

struct bytevector {
  struct object head;
  size_t length;
  uint8_t bytes[];
};

struct symbol {
  struct object head;
  struct object *sameregion value;  /* of the variable outside all scopes */
  struct object *sameregion syntax; /* a form or macro; null: the name of a variable */
  struct symbol *sameregion next;   /* of the same chain of the table */
  size_t length;
  char name[]; /* UTF-8, ends with 0 */
};

struct slots {
  struct object head;
  size_t length;
  struct object *sameregion items[];
};

struct code {
  struct object head;
  uint32_t length;
  uint32_t required; /* arguments */
  bool has_rest;
  struct slots *sameregion constants;
  struct object *sameregion name;
  struct string *sameregion file; /* null: the terminal */
  int32_t words[];
};

struct point {
  struct object head;
  uint32_t place; /* in the code's words */
  struct code *sameregion code;
};

enum { SMALL_LEAST = -128, SMALL_COUNT = 128 + 256, CHARACTER_COUNT = 128, SYMBOL_CHAINS = 1024 };

enum { FIRST_CHUNK_BITS = 8, NUMBERED_CHUNKS = 23 };
#define NUMBERED_MAX ((1u << (FIRST_CHUNK_BITS + NUMBERED_CHUNKS)) - (1u << FIRST_CHUNK_BITS))

struct host;

enum outcome { OUTCOME_NONE, OUTCOME_DONE, OUTCOME_COLLECT, OUTCOME_FAILED, OUTCOME_EXIT };

/* The registers that hold objects: a collection copies them and what they lead to. */
#define MACHINE_REGISTERS(X)                                             \
  X(struct object, accumulator) /* the last value; what is called */     \
  X(struct slots, frame)                                                 \
  X(struct code, code)                                                   \
  X(struct code, caller) /* whose line is the last that is known */      \
  X(struct slots, stack)                                                 \
  X(struct object, winders)  /* of dynamic-wind, the innermost first */  \
  X(struct object, handlers) /* of exceptions, the innermost first */    \
  X(struct object, failure)  /* what a primitive complains of */         \
  X(struct string, file)     /* that is compiled; null: the terminal */  \
  X(struct object, output)   /* the current ports */                     \
  X(struct object, input)                                                \
  X(struct object, raise) /* the procedure that failures are given to */ \
  /* Objects that exist once. */                                         \
  X(struct object, nil)                                                  \
  X(struct object, no)                                                   \
  X(struct object, yes)                                                  \
  X(struct object, unspecified)                                          \
  X(struct object, eof)                                                  \
  X(struct object, unbound)                                              \
  X(struct slots, smalls)                                                \
  X(struct slots, characters)

/* With Acre regionof tells in which arena an object lies; the other builds have to be given the
 * arena by a handle. */
#if defined(PLAIN_ARENAS) || defined(EVERYTHING_COLLECTED)
#define NEEDS_HANDLE 1
#else
#define NEEDS_HANDLE 0
#endif

/* The registers: the arena's root, from which everything else is reached. */
struct machine {
  struct object head;
  struct host *traditional host;
#define REGISTER(T, name) T *sameregion name;
  MACHINE_REGISTERS(REGISTER)
#undef REGISTER
  struct symbol *sameregion symbols[SYMBOL_CHAINS];
  size_t place, top; /* next word of code; slots of the stack in use */
  unsigned count;    /* of arguments, which are on top of the stack */
  unsigned line;     /* of the last call */
  unsigned depth;    /* of the expression that is compiled */
  bool is_transfer;  /* a primitive left a call to be done */
  enum outcome stop; /* why the machine stops after this instruction; 0: it does not */
  /* Of a collection: objects by number, from 0.  Chunk i has 2^(FIRST_CHUNK_BITS + i) of them. */
  uint32_t numbered_count;
  struct object *sameregion *sameregion numbered[NUMBERED_CHUNKS];
#if NEEDS_HANDLE
  region memory;
#endif
};

#if NEEDS_HANDLE
#define MEMORY(m) ((m)->memory)
#define MEMORY_INIT(m, handle) ((m)->memory = (handle))
#else
#define MEMORY(m) regionof(m)
#define MEMORY_INIT(m, handle) ((void)(handle))
#endif

static inline bool is_kind(const struct object *o, enum kind kind) {
  return o->kind == (unsigned)kind;
}
static inline bool is_nil(const struct object *o) { return is_kind(o, KIND_NIL); }
static inline bool is_true(const struct object *o) { return !is_kind(o, KIND_FALSE); }
static inline bool is_pair(const struct object *o) { return is_kind(o, KIND_PAIR); }
static inline bool is_fixnum(const struct object *o) { return is_kind(o, KIND_FIXNUM); }
static inline bool is_flonum(const struct object *o) { return is_kind(o, KIND_FLONUM); }
static inline bool is_number(const struct object *o) { return is_fixnum(o) || is_flonum(o); }
static inline bool is_string(const struct object *o) { return is_kind(o, KIND_STRING); }
static inline bool is_symbol(const struct object *o) { return is_kind(o, KIND_SYMBOL); }
static inline bool is_name(const struct object *o) {
  return is_symbol(o) || is_kind(o, KIND_ALIAS);
}
static inline bool is_slots(const struct object *o) { return o->kind >= KIND_VECTOR; }
bool is_procedure(const struct object *o);

/* The caller knows the kind. */
static inline struct pair *as_pair(struct object *o) { return (struct pair *)o; }
static inline struct object *car(struct object *o) { return ((struct pair *)o)->car; }
static inline struct object *cdr(struct object *o) { return ((struct pair *)o)->cdr; }
static inline struct object *cadr(struct object *o) { return car(cdr(o)); }
static inline int64_t integer_of(const struct object *o) {
  return ((const struct number *)o)->value;
}
static inline double flonum_of(const struct object *o) { return ((const struct flonum *)o)->value; }
static inline struct string *as_string(struct object *o) { return (struct string *)o; }
static inline struct bytevector *as_bytes(struct object *o) { return (struct bytevector *)o; }
static inline struct symbol *as_symbol(struct object *o) { return (struct symbol *)o; }
static inline struct slots *as_slots(struct object *o) { return (struct slots *)o; }
static inline struct object *slot(struct object *o, size_t index) {
  return ((struct slots *)o)->items[index];
}

/* New objects.  inregion(m): what is given lies in the machine's arena already, so that the
   caller's knowledge of it spares the check of each store.  The collector does not run before the
   machine's next step, so values need no care until then. */
struct object *inregion(m) make_pair(struct machine *m, struct object *inregion(m) first,
                                     struct object *inregion(m) rest);
struct object *inregion(m) make_integer(struct machine *m, int64_t value);
struct object *inregion(m) make_character(struct machine *m, uint32_t code);
struct object *inregion(m) make_flonum(struct machine *m, double value);
struct object *inregion(m) make_number_of_kind(struct machine *m, enum kind kind, int64_t value);
struct string *inregion(m) make_string(struct machine *m, size_t length);
struct bytevector *inregion(m) make_bytevector(struct machine *m, size_t length);
struct slots *inregion(m) make_slots(struct machine *m, enum kind kind, size_t length,
                                     struct object *inregion(m) fill);
struct code *inregion(m) make_code(struct machine *m, size_t length);
struct object *inregion(m) make_point(struct machine *m, struct code *inregion(m) code,
                                      size_t place);
struct symbol *inregion(m) make_symbol(struct machine *m, const char *borrowed name,
                                       size_t length); /* in no table */
struct object *inregion(m) make_text(struct machine *m, const char *borrowed utf8, size_t length);
struct object *inregion(m) make_message(struct machine *m, const char *borrowed utf8);
static inline struct object *make_boolean(struct machine *m, bool is_so) {
  return is_so ? m->yes : m->no;
}
struct object *inregion(m) intern(struct machine *m, const char *borrowed name, size_t length);
struct object *inregion(m) intern_word(struct machine *m, const char *borrowed name);

/* The UTF-8 of a string, from malloc; null when memory is out. */
char *unique string_utf8(const struct string *borrowed string, size_t *borrowed length);
/* The character at *place of text, which ends at end and goes on; U+FFFD for what is not UTF-8. */
uint32_t utf8_next(const char *borrowed text, size_t end, size_t *borrowed place);
/* Returns how many bytes were put in buffer, at most 4. */
size_t utf8_put(char *borrowed buffer, uint32_t character);

/* Length of a proper list; -1 if it is none. */
int64_t list_length(const struct object *list);

bool is_eqv(const struct object *a, const struct object *b);
/* To a depth of so many levels beside the last; what is deeper is different. */
enum { EQUAL_DEPTH = 10000 };
bool is_equal(struct object *a, struct object *b, int depth);

#endif
