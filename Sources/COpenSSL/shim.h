#ifndef MYNAH_COPENSSL_SHIM_H
#define MYNAH_COPENSSL_SHIM_H

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/stack.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

/* Swift does not import function-like macros; each function here wraps one of OpenSSL's. */

/* SSL_CTX_set_min_proto_version is SSL_CTX_ctrl with a cast. */
static inline int mynah_SSL_CTX_set_min_proto_version(SSL_CTX *ctx, int version) {
    return (int)SSL_CTX_set_min_proto_version(ctx, version);
}

/* SSL_CTX_set_max_proto_version is SSL_CTX_ctrl with a cast. */
static inline int mynah_SSL_CTX_set_max_proto_version(SSL_CTX *ctx, int version) {
    return (int)SSL_CTX_set_max_proto_version(ctx, version);
}

/* The SSL_OP_ and SSL_MODE_ constants are expressions with casts, which Swift does not import. */
static const uint64_t mynah_SSL_OP_NO_RENEGOTIATION = SSL_OP_NO_RENEGOTIATION;
static const uint64_t mynah_SSL_OP_NO_COMPRESSION = SSL_OP_NO_COMPRESSION;
static const long mynah_SSL_MODE_RELEASE_BUFFERS = SSL_MODE_RELEASE_BUFFERS;

/* SSL_CTX_set_mode is SSL_CTX_ctrl with a cast. */
static inline long mynah_SSL_CTX_set_mode(SSL_CTX *ctx, long mode) {
    return SSL_CTX_set_mode(ctx, mode);
}

/* SSL_CTX_set_session_cache_mode is SSL_CTX_ctrl. */
static inline long mynah_SSL_CTX_set_session_cache_mode(SSL_CTX *ctx, long mode) {
    return SSL_CTX_set_session_cache_mode(ctx, mode);
}

/* SSL_CTX_set_tlsext_ticket_keys is SSL_CTX_ctrl; it copies the keys. */
static inline int mynah_SSL_CTX_set_tlsext_ticket_keys(SSL_CTX *ctx, const unsigned char *keys, size_t length) {
    return (int)SSL_CTX_set_tlsext_ticket_keys(ctx, (void *)keys, (long)length);
}

/* The sk_X509_ functions are macros over OpenSSL's untyped stacks. */
static inline int mynah_sk_X509_num(const STACK_OF(X509) *stack) {
    return sk_X509_num(stack);
}

static inline X509 *mynah_sk_X509_value(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
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

/* How a name is printed for people: escaped as in RFC 4514, UTF-8 as it is, in the certificate's order. */
static const unsigned long mynah_XN_FLAG_LINE = XN_FLAG_RFC2253 & ~(XN_FLAG_DN_REV | ASN1_STRFLGS_ESC_MSB);

/* X509_V_FLAG_ and X509_V_ERR_ are imported, but this set of flags belongs together. */
static const unsigned long mynah_X509_V_FLAGS_CLIENT = X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_IGNORE_CRITICAL;

/* EVP_EC_gen is EVP_PKEY_Q_keygen, which is variadic. */
static inline EVP_PKEY *mynah_EVP_EC_gen(const char *curve) {
    return EVP_EC_gen(curve);
}

/* EVP_RSA_gen is EVP_PKEY_Q_keygen as well. */
static inline EVP_PKEY *mynah_EVP_RSA_gen(size_t bits) {
    return EVP_RSA_gen(bits);
}

/* EVP_PKEY_fromdata takes an array of OSSL_PARAM, which keeps pointers to names and values; Swift lends
   pointers for one call only. NULL if the bytes are not a point on the curve. */
static inline EVP_PKEY *mynah_EVP_PKEY_from_point(const char *curve, const unsigned char *point, size_t length) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, length),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (context != NULL && EVP_PKEY_fromdata_init(context) == 1) {
        /* On failure the key stays NULL. */
        (void)EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

/* EVP_KDF_derive takes an array of OSSL_PARAM, as above. The PRF of TLS 1.2 (RFC 5246 section 5); the seed begins with
   the label. Returns 1 on success. */
static inline int mynah_TLS12_PRF(const char *digest, const unsigned char *secret, size_t secret_length,
                                  const unsigned char *seed, size_t seed_length, unsigned char *output,
                                  size_t output_length) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SECRET, (void *)secret, secret_length),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SEED, (void *)seed, seed_length),
        OSSL_PARAM_construct_end(),
    };
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, OSSL_KDF_NAME_TLS1_PRF, NULL);
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
    int result = context != NULL ? EVP_KDF_derive(context, output, output_length, parameters) : 0;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kdf);
    return result;
}

/* How many rounds of key derivation files ask for, so that a hostile one is refused before they are done; INT64_MAX for
   what is no number of 64 bits. The types are parts of ASN.1 templates, which Swift imports only in part. */

static inline int64_t mynah_sum_of_rounds(int64_t left, int64_t right) {
    return left > INT64_MAX - right ? INT64_MAX : left + right;
}

static inline int64_t mynah_rounds_of_integer(const ASN1_INTEGER *integer) {
    int64_t rounds = 0;
    if (integer == NULL) {
        return 0;
    }
    return ASN1_INTEGER_get_int64(&rounds, integer) == 1 && rounds >= 0 ? rounds : INT64_MAX;
}

/* Of the encryption by a password that an algorithm names: PBES2 with PBKDF2 or scrypt, or one of the older ones. */
static inline int64_t mynah_rounds_of_algorithm(const X509_ALGOR *algorithm) {
    const ASN1_OBJECT *object = NULL;
    const void *value = NULL;
    int type = V_ASN1_UNDEF;
    int64_t rounds = 0;
    X509_ALGOR_get0(&object, &type, &value, algorithm);
    if (type != V_ASN1_SEQUENCE) {
        return 0;
    }
    const unsigned char *cursor = ASN1_STRING_get0_data((const ASN1_STRING *)value);
    long length = ASN1_STRING_length((const ASN1_STRING *)value);
    switch (OBJ_obj2nid(object)) {
    case NID_pbes2:
    case NID_pbmac1: {
        /* Both begin with the derivation's algorithm. */
        PBE2PARAM *parameters = d2i_PBE2PARAM(NULL, &cursor, length);
        if (parameters != NULL) {
            rounds = mynah_rounds_of_algorithm(parameters->keyfunc);
        }
        PBE2PARAM_free(parameters);
        return rounds;
    }
    case NID_id_pbkdf2: {
        PBKDF2PARAM *parameters = d2i_PBKDF2PARAM(NULL, &cursor, length);
        if (parameters != NULL) {
            rounds = mynah_rounds_of_integer(parameters->iter);
        }
        PBKDF2PARAM_free(parameters);
        return rounds;
    }
    case NID_id_scrypt: {
        /* OpenSSL bounds its memory, and so the cost, but not how often it is done. */
        SCRYPT_PARAMS *parameters = d2i_SCRYPT_PARAMS(NULL, &cursor, length);
        if (parameters != NULL) {
            int64_t cost = mynah_rounds_of_integer(parameters->costParameter);
            int64_t times = mynah_rounds_of_integer(parameters->parallelizationParameter);
            rounds = times > 0 && cost > INT64_MAX / times ? INT64_MAX : cost * times;
        }
        SCRYPT_PARAMS_free(parameters);
        return rounds;
    }
    default: {
        PBEPARAM *parameters = d2i_PBEPARAM(NULL, &cursor, length);
        if (parameters != NULL) {
            rounds = mynah_rounds_of_integer(parameters->iter);
        }
        PBEPARAM_free(parameters);
        return rounds;
    }
    }
}

/* Of an EncryptedPrivateKeyInfo in DER; 0 if it is none. */
static inline int64_t mynah_rounds_of_PKCS8(const unsigned char *bytes, long length) {
    const X509_ALGOR *algorithm = NULL;
    const ASN1_OCTET_STRING *encrypted = NULL;
    X509_SIG *key = d2i_X509_SIG(NULL, &bytes, length);
    int64_t rounds = 0;
    if (key != NULL) {
        X509_SIG_get0(key, &algorithm, &encrypted);
        rounds = mynah_rounds_of_algorithm(algorithm);
    }
    X509_SIG_free(key);
    return rounds;
}

/* Of the keys among bags, which it frees. */
static inline int64_t mynah_rounds_of_bags(STACK_OF(PKCS12_SAFEBAG) *bags) {
    int64_t rounds = 0;
    for (int index = 0; index < sk_PKCS12_SAFEBAG_num(bags); index++) {
        const PKCS12_SAFEBAG *bag = sk_PKCS12_SAFEBAG_value(bags, index);
        if (PKCS12_SAFEBAG_get_nid(bag) == NID_pkcs8ShroudedKeyBag) {
            const X509_ALGOR *algorithm = NULL;
            const ASN1_OCTET_STRING *encrypted = NULL;
            X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, &encrypted);
            rounds = mynah_sum_of_rounds(rounds, mynah_rounds_of_algorithm(algorithm));
        }
    }
    sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
    return rounds;
}

/* Of the MAC of an archive, and of all that is encrypted in it, as far as that can be seen without its password. */
static inline int64_t mynah_rounds_of_PKCS12(const PKCS12 *archive) {
    const ASN1_INTEGER *iterations = NULL;
    const X509_ALGOR *algorithm = NULL;
    int64_t rounds = 0;
    if (PKCS12_mac_present(archive)) {
        PKCS12_get0_mac(NULL, &algorithm, NULL, &iterations, archive);
        rounds = mynah_sum_of_rounds(mynah_rounds_of_integer(iterations), mynah_rounds_of_algorithm(algorithm));
    }
    STACK_OF(PKCS7) *safes = PKCS12_unpack_authsafes(archive);
    for (int index = 0; index < sk_PKCS7_num(safes); index++) {
        PKCS7 *safe = sk_PKCS7_value(safes, index);
        if (PKCS7_type_is_data(safe)) {
            rounds = mynah_sum_of_rounds(rounds, mynah_rounds_of_bags(PKCS12_unpack_p7data(safe)));
        } else if (PKCS7_type_is_encrypted(safe) && safe->d.encrypted != NULL) {
            rounds = mynah_sum_of_rounds(rounds, mynah_rounds_of_algorithm(safe->d.encrypted->enc_data->algorithm));
        }
    }
    sk_PKCS7_pop_free(safes, PKCS7_free);
    return rounds;
}

#endif
