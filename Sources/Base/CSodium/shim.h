#pragma once
#include <sodium.h>
#include <stdint.h>

// Macros that Swift does not import.
static inline size_t causeway_pwhash_str_bytes(void) { return crypto_pwhash_STRBYTES; }
static inline size_t causeway_pwhash_salt_bytes(void) { return crypto_pwhash_SALTBYTES; }
static inline int causeway_pwhash_algorithm(void) { return crypto_pwhash_ALG_ARGON2ID13; }
static inline int causeway_base64_original_no_padding(void) { return sodium_base64_VARIANT_ORIGINAL_NO_PADDING; }
static inline size_t causeway_aead_key_bytes(void) { return crypto_aead_xchacha20poly1305_ietf_KEYBYTES; }
static inline size_t causeway_aead_nonce_bytes(void) { return crypto_aead_xchacha20poly1305_ietf_NPUBBYTES; }
static inline size_t causeway_aead_tag_bytes(void) { return crypto_aead_xchacha20poly1305_ietf_ABYTES; }
