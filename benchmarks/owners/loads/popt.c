/* SPDX-License-Identifier: MIT */
/* popt-load FILE ROUNDS: reads a file of settings as arguments, parses them and command lines with
 * aliases, strings and numbers, prints help, and says what came out. */
#include <popt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count, flag;
static long number;
static double real;
static char *name, *text;
static const char **list;

static const struct poptOption inner[] = {
    {"count", 'c', POPT_ARG_INT, &count, 0, "how many there are", "COUNT"},
    {"long-number", 0, POPT_ARG_LONG, &number, 0,
     "a number that is so long that its description goes over the end of the line", "NUMBER"},
    POPT_TABLEEND};

static const struct poptOption options[] = {
    {"flag", 'f', POPT_ARG_NONE, &flag, 0, "a flag", NULL},
    {"name", 'n', POPT_ARG_STRING, &name, 'n', "the name of something", "NAME"},
    {"text", 't', POPT_ARG_STRING | POPT_ARGFLAG_SHOW_DEFAULT, &text, 0, "a text", "TEXT"},
    {"real", 'r', POPT_ARG_DOUBLE, &real, 0, "a number with a fraction", NULL},
    {"list", 'l', POPT_ARG_ARGV, &list, 0, "an element of a list", "ELEMENT"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, (void *)inner, 0, "Numbers:", NULL},
    POPT_AUTOHELP POPT_TABLEEND};

static void add_alias(poptContext context) {
  struct poptAlias alias = {"both", 'b', 0, NULL};
  poptParseArgvString("--flag --text '!#:+'", &alias.argc, &alias.argv);
  poptAddAlias(context, alias, 0);
}

static void end_values(void) {
  free(name);
  free(text);
  for (int i = 0; list && list[i]; i++)
    free((void *)list[i]);
  free(list);
  name = text = NULL;
  list = NULL;
  flag = 0;
}

static size_t parse(int arguments, const char **words) {
  poptContext context = poptGetContext("load", arguments, words, options, 0);
  const char **rest;
  size_t sum = 0;
  int result;
  add_alias(context);
  while ((result = poptGetNextOpt(context)) > 0) {
    char *given = poptGetOptArg(context);
    sum += given ? strlen(given) : 1;
    free(given);
  }
  if (result < -1)
    printf("%s: %s\n", poptBadOption(context, 0), poptStrerror(result));
  rest = poptGetArgs(context);
  for (int i = 0; rest && rest[i]; i++)
    sum = sum * 31 + strlen(rest[i]);
  for (int i = 0; list && list[i]; i++)
    sum = sum * 7 + (unsigned char)list[i][0];
  sum += (size_t)count + (size_t)number + (size_t)real + (size_t)flag + (text ? strlen(text) : 0);
  poptFreeContext(context);
  end_values();
  return sum;
}

static void show_help(void) {
  const char *words[] = {"load", NULL};
  poptContext context = poptGetContext("load", 1, words, options, 0);
  poptSetOtherOptionHelp(context, "[OPTION...] FILE");
  poptPrintHelp(context, stdout, 0);
  poptPrintUsage(context, stdout, 0);
  poptFreeContext(context);
}

static size_t read_settings(const char *path) {
  FILE *in = fopen(path, "r");
  char *line = NULL;
  const char **words;
  size_t sum = 0;
  int count_of_words;
  if (!in || poptConfigFileToString(in, &line, 0))
    exit(1);
  fclose(in);
  if (!poptParseArgvString(line, &count_of_words, &words)) {
    sum = parse(count_of_words, words) + (size_t)count_of_words;
    free(words);
  }
  free(line);
  return sum;
}

int main(int arguments, char **words) {
  size_t sum = 0;
  for (int round = 0; arguments > 2 && round < atoi(words[2]); round++) {
    char line[200];
    const char **made;
    int length;
    snprintf(
        line, sizeof line,
        "load -c%d --name=\"some %d\" --both 'an argument %d' -r %d.5 -l a%d -fl b --text x%d more "
        "'and \\'more\\'' -- -%d",
        round, round, round, round, round, round, round);
    if (!poptParseArgvString(line, &length, &made)) {
      sum += parse(length, made);
      free(made);
    }
    if (round % 100 == 0)
      sum += read_settings(words[1]);
  }
  printf("%zx\n", sum);
  show_help();
  parse(3, (const char *[]){"load", "--unknown", "x", NULL});
  parse(3, (const char *[]){"load", "--count", "x", NULL});
  return 0;
}
