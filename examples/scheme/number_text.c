/* SPDX-License-Identifier: MIT */
/* number_text.c - the notation of numbers. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

static bool is_digit(char c, unsigned radix) {
  unsigned value = isdigit((unsigned char)c)   ? (unsigned)(c - '0')
                   : isalpha((unsigned char)c) ? (unsigned)(tolower((unsigned char)c) - 'a') + 10
                                               : radix;
  return value < radix;
}

/* Whether text is a sign, digits, a point and an exponent, in this order and not without digits. */
static bool is_decimal(const char *text, bool *is_integer) {
  size_t digits = 0, place = *text == '+' || *text == '-';
  *is_integer = true;
  for (; isdigit((unsigned char)text[place]); place++)
    digits++;
  if (text[place] == '.') {
    *is_integer = false;
    for (place++; isdigit((unsigned char)text[place]); place++)
      digits++;
  }
  if (digits && (text[place] == 'e' || text[place] == 'E')) {
    *is_integer = false;
    place++;
    place += text[place] == '+' || text[place] == '-';
    if (!isdigit((unsigned char)text[place]))
      return false;
    while (isdigit((unsigned char)text[place]))
      place++;
  }
  return digits && !text[place];
}

static bool is_integer_in(const char *text, unsigned radix) {
  size_t place = *text == '+' || *text == '-';
  if (!text[place])
    return false;
  while (is_digit(text[place], radix))
    place++;
  return !text[place];
}

static struct object *special_number(struct machine *m, const char *text) {
  if (strcmp(text, "+inf.0") == 0)
    return make_flonum(m, INFINITY);
  if (strcmp(text, "-inf.0") == 0)
    return make_flonum(m, -INFINITY);
  if (strcmp(text, "+nan.0") == 0 || strcmp(text, "-nan.0") == 0)
    return make_flonum(m, NAN);
  return NULL;
}

static struct object *convert(struct machine *m, const char *text, unsigned radix) {
  bool is_integer = true;
  if (!(radix == 10 ? is_decimal(text, &is_integer) : is_integer_in(text, radix)))
    return special_number(m, text);
  if (is_integer) {
    errno = 0;
    int64_t value = strtoll(text, NULL, (int)radix);
    if (!errno)
      return make_integer(m, value);
    if (radix != 10)
      return NULL;
  }
  return make_flonum(m, strtod(text, NULL)); /* integers that are too large, too */
}

struct object *number_of_text(struct machine *m, const char *borrowed text, size_t length,
                              unsigned radix) {
  char copy[400];
  char exactness = 0;
  for (; length > 2 && text[0] == '#'; text += 2, length -= 2) {
    char mark = (char)tolower((unsigned char)text[1]);
    if (mark == 'e' || mark == 'i')
      exactness = mark;
    else if (mark == 'x' || mark == 'b' || mark == 'o' || mark == 'd')
      radix = mark == 'x' ? 16 : mark == 'b' ? 2 : mark == 'o' ? 8 : 10;
    else
      return NULL;
  }
  if (!length || length >= sizeof copy)
    return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  struct object *number = convert(m, copy, radix);
  if (number && exactness == 'i' && is_fixnum(number))
    return make_flonum(m, (double)integer_of(number));
  if (number && exactness == 'e' && is_flonum(number)) {
    double value = flonum_of(number);
    return value == floor(value) && fabs(value) < 0x1p63 ? make_integer(m, (int64_t)value) : NULL;
  }
  return number;
}

static void print_flonum(struct buffer *buffer, double value) {
  char text[32];
  if (isnan(value) || isinf(value)) {
    buffer_add_word(buffer, isnan(value) ? "+nan.0" : value > 0 ? "+inf.0" : "-inf.0");
    return;
  }
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      break;
  }
  buffer_add_word(buffer, text);
  if (!strpbrk(text, ".e"))
    buffer_add_word(buffer, ".0");
}

void print_number(struct buffer *borrowed buffer, const struct object *number, unsigned radix) {
  if (is_flonum(number)) {
    print_flonum(buffer, flonum_of(number));
    return;
  }
  char digits[72];
  size_t place = sizeof digits;
  int64_t value = integer_of(number);
  uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
  do
    digits[--place] = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % radix];
  while (rest /= radix);
  if (value < 0)
    digits[--place] = '-';
  buffer_add(buffer, digits + place, sizeof digits - place);
}
