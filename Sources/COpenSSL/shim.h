#ifndef MYNAH_COPENSSL_SHIM_H
#define MYNAH_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Swift sees no function-like macros; each function here is one of OpenSSL's, under a name of ours. */

/* SSL_CTX_set_min_proto_version is SSL_CTX_ctrl with a cast. */
static inline int mynah_SSL_CTX_set_min_proto_version(SSL_CTX *ctx, int version) {
    return (int)SSL_CTX_set_min_proto_version(ctx, version);
}

/* The SSL_OP_ and SSL_MODE_ constants are expressions with casts, which Swift does not import. */
static const uint64_t mynah_SSL_OP_NO_RENEGOTIATION = SSL_OP_NO_RENEGOTIATION;
static const uint64_t mynah_SSL_OP_NO_COMPRESSION = SSL_OP_NO_COMPRESSION;
static const long mynah_SSL_MODE_RELEASE_BUFFERS = SSL_MODE_RELEASE_BUFFERS;

/* SSL_CTX_set_mode is SSL_CTX_ctrl with a cast. */
static inline long mynah_SSL_CTX_set_mode(SSL_CTX *ctx, long mode) {
    return SSL_CTX_set_mode(ctx, mode);
}

/* SSL_CTX_add_extra_chain_cert is SSL_CTX_ctrl; it takes ownership of the certificate. */
static inline int mynah_SSL_CTX_add_extra_chain_cert(SSL_CTX *ctx, X509 *certificate) {
    return (int)SSL_CTX_add_extra_chain_cert(ctx, certificate);
}

/* SSL_set_tlsext_host_name is SSL_ctrl with a cast that drops const. */
static inline int mynah_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

/* BIO_get_mem_data is BIO_ctrl with an out-parameter behind a cast. */
static inline long mynah_BIO_get_mem_data(BIO *bio, char **data) {
    return BIO_get_mem_data(bio, data);
}

/* BIO_reset is BIO_ctrl. */
static inline int mynah_BIO_reset(BIO *bio) {
    return (int)BIO_reset(bio);
}

/* BIO_set_mem_eof_return is BIO_ctrl: what reading an empty memory BIO returns. */
static inline void mynah_BIO_set_mem_eof_return(BIO *bio, int value) {
    BIO_set_mem_eof_return(bio, value);
}

#endif
