/* SPDX-License-Identifier: MIT */
/* winnow - finds the passages that text files share.
 *
 * A program of regions: corpus.h, index.h, compare.h and results.h each say which region their
 * objects live in and for how long.  The order of life is in run() below.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "corpus.h"
#include "fingerprint.h"
#include "index.h"
#include "results.h"

enum { EXIT_USAGE = 2, EXIT_UNREAD = 3 };

static const char usage[] =
    "usage: winnow [OPTION]... FILE FILE...\n"
    "Finds the passages that text files share, and prints the pairs that share most.\n"
    "\n"
    "  -t, --top N        print the N best pairs (10)\n"
    "  -q, --quotes N     quote the N longest passages of each pair (1)\n"
    "  -k, --kgram N      characters in a k-gram; nothing shorter is found (25)\n"
    "  -w, --window N     of N k-grams one is kept: N + k - 1 shared characters are always found "
    "(40)\n"
    "  -c, --common N     pass over what is in more than N files (10)\n"
    "  -m, --memory       then say what the regions did\n"
    "  -h, --help         this text\n"
    "\n"
    "Only letters and digits count, in any case.  Exit status: 0; 1 with no memory; 2 for a wrong "
    "command line;\n"
    "3 if a file could not be read.\n";

struct options {
  struct winnowing winnowing;
  uint32_t top, quotes, common;
  bool wants_memory;
};

_Noreturn static void fail_usage(const char *what, const char *argument) {
  fprintf(stderr, "winnow: %s%s\nTry 'winnow --help'.\n", what, argument);
  exit(EXIT_USAGE);
}

static uint32_t parse_number(const char *text, uint32_t least) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || value < least || value > 100000)
    fail_usage("not a number in range: ", text);
  return (uint32_t)value;
}

static struct options parse_options(int argc, char **argv) {
  static const struct option names[] = {
      {"top", required_argument, 0, 't'},    {"quotes", required_argument, 0, 'q'},
      {"kgram", required_argument, 0, 'k'},  {"window", required_argument, 0, 'w'},
      {"common", required_argument, 0, 'c'}, {"memory", no_argument, 0, 'm'},
      {"help", no_argument, 0, 'h'},         {0}};
  struct options options = {
      .winnowing = {.k = 25, .window = 40}, .top = 10, .quotes = 1, .common = 10};
  int option;
  while ((option = getopt_long(argc, argv, "t:q:k:w:c:mh", names, NULL)) != -1) {
    switch (option) {
    case 't':
      options.top = parse_number(optarg, 1);
      break;
    case 'q':
      options.quotes = parse_number(optarg, 0);
      break;
    case 'k':
      options.winnowing.k = parse_number(optarg, 1);
      break;
    case 'w':
      options.winnowing.window = parse_number(optarg, 1);
      break;
    case 'c':
      options.common = parse_number(optarg, 1);
      break;
    case 'm':
      options.wants_memory = true;
      break;
    case 'h':
      fputs(usage, stdout);
      exit(EXIT_SUCCESS);
    default:
      fputs("Try 'winnow --help'.\n", stderr);
      exit(EXIT_USAGE);
    }
  }
  if (argc - optind < 2)
    fail_usage("at least two files are needed", "");
  return options;
}

static void print_memory(void) {
  acre_stats stats;
  acre_get_stats(&stats);
  printf("\nMemory\n"
         "  regions    %9zu created, %zu still live\n"
         "  objects    %9zu allocated, %zu bytes\n"
         "  pages      %9zu bytes at the peak, %zu now\n"
         "  stores     %9zu counted, %zu checked by a call; every other store passed its inline "
         "test or had none\n",
         stats.regions_created, stats.regions_live, stats.objects, stats.bytes_requested,
         stats.bytes_peak, stats.bytes_reserved, stats.stores_counted, stats.stores_checked);
}

static bool run(struct options options, char **paths, int path_count) deletes {
  bool are_all_read = true;
  struct corpus *corpus = corpus_new();
  for (int i = 0; i < path_count; i++)
    are_all_read &= corpus_add(corpus, paths[i]);
  for (uint32_t i = 0; i < corpus->document_count; i++)
    fingerprint_document(corpus->documents[i], options.winnowing);

  struct index *index = index_new(corpus);
  struct results *results = results_new(options.top, options.quotes);
  struct compare_options compare = {options.winnowing.k, options.common,
                                    options.winnowing.k + options.winnowing.window - 1};
  for (uint32_t i = 0; i < corpus->document_count; i++)
    compare_document(corpus->documents[i], index, compare, results);
  index_delete(&index);
  corpus_delete(&corpus); /* the texts are large, and nothing needs them any more */

  results_print(results, stdout);
  results_delete(&results);
  return are_all_read;
}

int main(int argc, char **argv) deletes {
  struct options options = parse_options(argc, argv);
  bool are_all_read = run(options, argv + optind, argc - optind);
  if (options.wants_memory)
    print_memory();
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fputs("winnow: cannot write the results\n", stderr);
    return EXIT_FAILURE;
  }
  return are_all_read ? EXIT_SUCCESS : EXIT_UNREAD;
}
