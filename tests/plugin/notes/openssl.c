// The notes of the installation know the everyday part of OpenSSL 3: a whole program, in which a
// client and a server talk through memory, and its mistakes.
// REQUIRES: openssl
// RUN: %acre-cc -std=gnu17 -Wall -Wextra -Werror -facre-strict=own %s -lssl -lcrypto -o %t
// RUN: %t | FileCheck %s
// RUN: %acre-cc -fsyntax-only -DWRONG -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static EVP_PKEY *unique make_key(void) {
  EVP_PKEY *unique key = NULL;
  EVP_PKEY_CTX *unique context = EVP_PKEY_CTX_new_from_name(NULL, "ED25519", NULL);
  if (context && EVP_PKEY_keygen_init(context) == 1)
    EVP_PKEY_generate(context, &key);
  EVP_PKEY_CTX_free(context);
  return key;
}

static X509 *unique make_certificate(EVP_PKEY *borrowed key, const char *host) {
  X509 *unique made = X509_new();
  X509_NAME *unique name = X509_NAME_new();
  bool is_made = made && name &&
                 X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)host,
                                            -1, -1, 0) == 1 &&
                 X509_set_subject_name(made, name) == 1 && X509_set_issuer_name(made, name) == 1 &&
                 X509_set_pubkey(made, key) == 1;
  if (is_made) {
    X509_gmtime_adj(X509_getm_notBefore(made), 0);
    X509_gmtime_adj(X509_getm_notAfter(made), 3600);
  }
  X509_NAME_free(name);
  if (!is_made || !X509_sign(made, key, NULL)) {
    X509_free(made);
    return NULL;
  }
  return made;
}

/* The certificate as text and read again. */
static X509 *unique copy_by_text(X509 *borrowed certificate) {
  BIO *unique text = BIO_new(BIO_s_mem());
  X509 *unique read = NULL;
  if (text && PEM_write_bio_X509(text, certificate) == 1)
    read = PEM_read_bio_X509(text, NULL, NULL, NULL);
  BIO_free(text);
  return read;
}

static void print_digest(const char *data) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_MD_CTX *unique context = EVP_MD_CTX_new();
  if (context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1 &&
      EVP_DigestUpdate(context, data, strlen(data)) == 1)
    EVP_DigestFinal_ex(context, digest, &size);
  EVP_MD_CTX_free(context);
  for (unsigned i = 0; i < 4 && i < size; i++)
    printf("%02x", digest[i]);
  printf("\n");
}

static void print_power(unsigned long base, unsigned long exponent) {
  BN_CTX *unique context = BN_CTX_new();
  BIGNUM *unique a = BN_new(), *unique b = BN_new(), *unique power = BN_new();
  if (context && a && b && power && BN_set_word(a, base) && BN_set_word(b, exponent) &&
      BN_exp(power, a, b, context)) {
    char *unique text = BN_bn2dec(power);
    if (text)
      printf("%s\n", text);
    OPENSSL_free(text);
  }
  BN_free(a);
  BN_free(b);
  BN_free(power);
  BN_CTX_free(context);
}

static void move(SSL *borrowed from, SSL *borrowed to) {
  char buffer[4096];
  int length;
  while ((length = BIO_read(SSL_get_wbio(from), buffer, sizeof buffer)) > 0)
    BIO_write(SSL_get_rbio(to), buffer, length);
}

static SSL *unique connect_memory(SSL_CTX *borrowed context) {
  SSL *unique made = SSL_new(context);
  BIO *unique in = BIO_new(BIO_s_mem()), *unique out = BIO_new(BIO_s_mem());
  if (!made || !in || !out) {
    SSL_free(made);
    BIO_free(in);
    BIO_free(out);
    return NULL;
  }
  SSL_set_bio(made, in, out);
  return made;
}

static int talk(EVP_PKEY *borrowed key, X509 *borrowed certificate) {
  SSL_CTX *unique to = SSL_CTX_new(TLS_client_method());
  SSL_CTX *unique from = SSL_CTX_new(TLS_server_method());
  SSL *unique client = NULL, *unique server = NULL;
  char text[32] = "";
  if (to && from && SSL_CTX_use_certificate(from, certificate) == 1 &&
      SSL_CTX_use_PrivateKey(from, key) == 1) {
    client = connect_memory(to);
    server = connect_memory(from);
  }
  if (client && server) {
    SSL_set_connect_state(client);
    SSL_set_accept_state(server);
    for (int i = 0; i < 10; i++) {
      SSL_do_handshake(i % 2 ? server : client);
      move(client, server);
      move(server, client);
    }
    SSL_write(client, "hello", 5);
    move(client, server);
    SSL_read(server, text, sizeof text - 1);
    printf("%s, %s\n", text, SSL_get_version(server));
  }
  SSL_free(client);
  SSL_free(server);
  SSL_CTX_free(to);
  SSL_CTX_free(from);
  return strcmp(text, "hello");
}

int main(void) {
  EVP_PKEY *unique key = make_key();
  X509 *unique made = key ? make_certificate(key, "example.org") : NULL;
  X509 *unique read = made ? copy_by_text(made) : NULL;
  int failed = !key || !read;
  if (!failed) {
    char name[64];
    X509_NAME_get_text_by_NID(X509_get_subject_name(read), NID_commonName, name, sizeof name);
    printf("%s\n", name);     // CHECK: example.org
    print_digest("abc");      // CHECK-NEXT: ba7816bf
    print_power(2, 100);      // CHECK-NEXT: 1267650600228229401496703205376
    failed = talk(key, read); // CHECK-NEXT: hello, TLSv1.3
  }
  if (failed)
    ERR_print_errors_fp(stderr);
  X509_free(made);
  X509_free(read);
  EVP_PKEY_free(key);
  return failed;
}

#ifdef WRONG
void freed(SSL *unique s) {
  free(s); // expected-error {{is ended by SSL_free, not by this}}
}
void stream_of_a_connection(SSL *borrowed s) {
  BIO *unique b = BIO_new(BIO_s_mem());
  SSL_set_bio(s, b, acre_unowned(b));
  BIO_free(b); // expected-error {{'b' is used after it was consumed}}
}
void freed_text(BIGNUM *borrowed n) {
  char *unique text = BN_bn2hex(n);
  free(text); // expected-error {{what BN_bn2hex made is ended by CRYPTO_free, not by this}}
}
const X509_NAME *name_of_the_dead(X509 *unique x) {
  const X509_NAME *name = X509_get_subject_name(x);
  X509_free(x);
  return name; // expected-error {{'name' is used after 'x'}}
}
int lost_context(const char *data, unsigned char *borrowed digest) {
  EVP_MD_CTX *unique context = EVP_MD_CTX_new();
  if (!context || EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1)
    return -1; // expected-warning {{'context' may be lost}}
  EVP_DigestUpdate(context, data, strlen(data));
  EVP_DigestFinal_ex(context, digest, NULL);
  EVP_MD_CTX_free(context);
  return 0;
}
X509 *unique buffer_of_the_dead(char *unique text) {
  // expected-error@+1 {{'text' is lent to 'BIO_new_mem_buf'}}
  BIO *unique b = BIO_new_mem_buf(text, -1);
  free(text);
  X509 *unique x = PEM_read_bio_X509(b, NULL, NULL, NULL);
  BIO_free(b);
  return x;
}
#endif
