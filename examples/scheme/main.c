/* SPDX-License-Identifier: MIT */
/* main.c - an interpreter of Scheme: scripts, expressions, and a conversation. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

enum { EXIT_USAGE = 2 };

static const char usage[] =
    "usage: scheme [OPTION]... [FILE [ARGUMENT]...]\n"
    "Runs the Scheme program in FILE ('-': the standard input), or converses if there is none.  "
    "The language is R7RS\n"
    "without libraries: integers of 64 bits (a result that does not fit is an error) and "
    "floating-point numbers.\n"
    "\n"
    "  -e EXPRESSION     runs it before FILE; without FILE there is no conversation then\n"
    "  -i                converses afterwards\n"
    "  --step=SIZE       collects no sooner than after so much was allocated: 512K; 0: all the "
    "time\n"
    "  --limit=SIZE      of what is alive: half of the machine's memory\n"
    "  --memory          says at the end how much memory was used\n"
    "  --version, --help\n"
    "\n"
    "SIZE is in bytes, or with K, M or G.  Exit status: 0, or what (exit) says; 1 if nobody "
    "handles an error, with a\n"
    "message that begins with FILE:LINE; 2 for a wrong command line; 3 if memory is out and it "
    "cannot go on.\n";

struct options {
  const char *file, *expressions[16];
  unsigned expression_count;
  bool is_conversation, has_memory;
  char **arguments;
};

static bool is_size(const char *text, size_t *size) {
  static const char units[] = "KMG";
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  const char *unit = *end ? strchr(units, *end) : NULL;
  unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
  *size = (size_t)number << shift;
  return *text >= '0' && *text <= '9' && !errno && *size >> shift == number &&
         (!*end || (unit && !end[1]));
}

static int complain(const char *what, const char *about) {
  fprintf(stderr, "scheme: %s '%s'\nTry 'scheme --help'.\n", what, about);
  return EXIT_USAGE;
}

/* Returns an exit status, or -1 to go on. */
static int read_option(char *option, struct options *options, struct host *host) {
  if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
    fputs(usage, stdout);
    return EXIT_SUCCESS;
  }
  if (strcmp(option, "--version") == 0) {
    puts("scheme 1.0 (R7RS, of Acre's examples)");
    return EXIT_SUCCESS;
  }
  if (strcmp(option, "-i") == 0)
    options->is_conversation = true;
  else if (strcmp(option, "--memory") == 0)
    options->has_memory = true;
  else if (strncmp(option, "--step=", 7) == 0)
    return is_size(option + 7, &host->step) ? -1 : complain("a size is expected, not", option + 7);
  else if (strncmp(option, "--limit=", 8) == 0)
    return is_size(option + 8, &host->limit) && host->limit
               ? -1
               : complain("a size is expected, not", option + 8);
  else
    return complain("there is no option", option);
  return -1;
}

static int read_options(char **arguments, struct options *options, struct host *host) {
  enum { EXPRESSIONS_MAX = sizeof options->expressions / sizeof *options->expressions };
  for (; *arguments && **arguments == '-' && (*arguments)[1]; arguments++) {
    if (strcmp(*arguments, "--") == 0) {
      arguments++;
      break;
    }
    if (strcmp(*arguments, "-e") == 0) {
      if (!arguments[1] || options->expression_count == EXPRESSIONS_MAX)
        return complain("an expression is expected after, or there are too many:", "-e");
      options->expressions[options->expression_count++] = *++arguments;
      continue;
    }
    int status = read_option(*arguments, options, host);
    if (status >= 0)
      return status;
  }
  options->file = *arguments;
  options->arguments = arguments;
  options->is_conversation |= !*arguments && !options->expression_count;
  return -1;
}

static bool run_all(struct host *host, const struct options *options) {
  for (unsigned i = 0; i < options->expression_count; i++)
    if (!run_text(host, options->expressions[i], "-e"))
      return false;
  if (options->file && !run_file(host, options->file))
    return false;
  return !options->is_conversation || converse(host, isatty(STDIN_FILENO));
}

int main(int argc, char **argv) {
  struct options options = {0};
  struct host host = {.step = 512 << 10,
                      .limit = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 2};
  setlocale(LC_CTYPE, "C.UTF-8");
  int status = read_options(argc ? argv + 1 : argv, &options, &host);
  if (status >= 0)
    return status;
  if (!run_start(&host, options.arguments))
    return EXIT_FAILURE;
  bool is_right = run_all(&host, &options);
  status = host.exit_status           ? host.exit_status
           : is_right || host.is_exit ? EXIT_SUCCESS
                                      : EXIT_FAILURE;
  if (options.has_memory)
    run_report(&host);
  heap_end(&host);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    perror("scheme: output cannot be written");
    return EXIT_FAILURE;
  }
  return status;
}
