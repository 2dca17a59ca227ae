// The notes of the installation know the everyday part of libxml2: a whole program, and its
// mistakes.
// REQUIRES: libxml2
// RUN: %acre-cc -std=gnu17 -Wall -Wextra -Werror -facre-strict=own %s -o %t \
// RUN:   -isystem /usr/include/libxml2 -lxml2
// RUN: %t | FileCheck %s
// RUN: %acre-cc -fsyntax-only -DWRONG -isystem /usr/include/libxml2 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static xmlDoc *unique make_list(const char *const *names) {
  xmlDoc *unique doc = xmlNewDoc(BAD_CAST "1.0");
  xmlNode *unique root = xmlNewNode(NULL, BAD_CAST "list");
  if (!doc || !root) {
    xmlFreeNode(root);
    xmlFreeDoc(doc);
    return NULL;
  }
  for (; *names; names++) {
    xmlNode *unique item = xmlNewNode(NULL, BAD_CAST "item");
    if (!item)
      break;
    xmlNewProp(item, BAD_CAST "name", BAD_CAST *names);
    xmlAddChild(root, item);
  }
  xmlDocSetRootElement(doc, root);
  return doc;
}

static void print_names(xmlDoc *borrowed doc) {
  xmlNode *root = xmlDocGetRootElement(doc);
  for (xmlNode *each = xmlFirstElementChild(root); each; each = xmlNextElementSibling(each)) {
    xmlChar *unique name = xmlGetProp(each, BAD_CAST "name");
    if (name)
      printf("%s\n", (const char *)name);
    free(name);
  }
}

static int count(xmlDoc *unique doc, const char *path) {
  int found = -1;
  xmlXPathContext *unique context = xmlXPathNewContext(acre_unowned(doc));
  if (context) {
    xmlXPathObject *unique result = xmlXPathEvalExpression(BAD_CAST path, context);
    if (result)
      found = result->nodesetval ? result->nodesetval->nodeNr : 0;
    xmlXPathFreeObject(result);
  }
  xmlXPathFreeContext(context);
  xmlFreeDoc(doc);
  return found;
}

int main(void) {
  const char *names[] = {"one", "two", "three", NULL};
  xmlDoc *unique made = make_list(names);
  xmlChar *unique text = NULL;
  int size = 0;
  if (!made)
    return 1;
  xmlDocDumpMemory(made, &text, &size);
  xmlFreeDoc(made);
  if (!text)
    return 1;
  xmlDoc *unique read = xmlReadMemory((const char *)text, size, "list", NULL, XML_PARSE_NONET);
  free(text);
  if (!read)
    return 1;
  print_names(read);                       // CHECK: one
                                           // CHECK-NEXT: two
                                           // CHECK-NEXT: three
  printf("%d\n", count(read, "//item[contains(@name, 'o')]")); // CHECK-NEXT: 2
  xmlCleanupParser();
  return 0;
}

#ifdef WRONG
void freed(xmlDoc *unique doc) {
  free(doc); // expected-error {{is ended by xmlFreeDoc, not by this}}
}
void linked_and_freed(xmlNode *borrowed root) {
  xmlNode *unique item = xmlNewNode(NULL, BAD_CAST "item");
  xmlAddChild(root, item);
  xmlFreeNode(item); // expected-error {{'item' is used after it was consumed}}
}
xmlNode *root_of_the_dead(const char *path) {
  xmlDoc *unique doc = xmlReadFile(path, NULL, 0);
  xmlNode *root = xmlDocGetRootElement(doc);
  xmlFreeDoc(doc);
  return root; // expected-error {{'root' is used after 'doc'}}
}
void lost_text(xmlNode *borrowed node) {
  xmlChar *unique name = xmlGetProp(node, BAD_CAST "name");
  if (name)
    printf("%s\n", (const char *)name);
} // expected-warning {{'name' may be lost}}
int lost_document(const char *path) {
  xmlDoc *unique doc = xmlReadFile(path, NULL, 0);
  if (!xmlDocGetRootElement(doc))
    return -1; // expected-warning {{'doc' may be lost}}
  xmlFreeDoc(doc);
  return 0;
}
#endif
