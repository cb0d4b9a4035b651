#pragma once
#include <libwebsockets.h>
#include <openssl/err.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <zlib.h>

// The system's headers hide these two unless _GNU_SOURCE is set.
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pthread_setname_np(pthread_t, const char *);

static inline int causeway_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }
static inline void causeway_name_thread(pthread_t thread, const char *name) { (void)pthread_setname_np(thread, name); }

// Threads of connections may still run while the process ends: what they use must not be taken away by a cleanup at exit.
static inline int causeway_keep_tls_at_exit(void) { return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL); }

// What happened to a socket of a set.
struct causeway_event {
    uint64_t id;
    int readable;
    int writable;
    int broken;
};

static inline int causeway_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

// Begins (known 0) or changes what a set tells of a socket. 0: done.
static inline int causeway_epoll_watch(int set, int socket, uint64_t id, int known, int reading, int writing) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = (reading ? EPOLLIN : 0) | (writing ? EPOLLOUT : 0);
    event.data.u64 = id;
    return epoll_ctl(set, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
}

// What is ready now, at most `most` and 256 of it; does not wait.
static inline int causeway_epoll_ready(int set, struct causeway_event *out, int most) {
    struct epoll_event found[256];
    int count = epoll_wait(set, found, most < 256 ? most : 256, 0);
    for (int i = 0; i < count; i++) {
        out[i].id = found[i].data.u64;
        out[i].readable = (found[i].events & EPOLLIN) != 0;
        out[i].writable = (found[i].events & EPOLLOUT) != 0;
        out[i].broken = (found[i].events & (EPOLLERR | EPOLLHUP)) != 0;
    }
    return count;
}

// One timer of a context and whom it belongs to.
struct causeway_timer {
    lws_sorted_usec_list_t sul; // first, so that the callback's argument is also the timer's address
    void *owner;
};

static inline struct lws_protocols *causeway_protocols(lws_callback_function *callback) {
    struct lws_protocols *table = (struct lws_protocols *)calloc(2, sizeof(struct lws_protocols));
    if (!table) return NULL;
    table[0].name = "raw";
    table[0].callback = callback;
    return table;
}

static inline struct lws_context *causeway_context(void *owner, unsigned int timeout_seconds, int tls) {
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | (tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0);
    info.gid = (gid_t)-1;
    info.uid = (uid_t)-1;
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.user = owner;
    info.pt_serv_buf_size = 65536;
    info.timeout_secs = timeout_seconds;
    return lws_create_context(&info);
}

// certificate NULL: no TLS. At least TLS 1.2.
static inline struct lws_vhost *causeway_server_vhost(
    struct lws_context *context, struct lws_protocols *protocols, const char *certificate, const char *key) {
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.vhost_name = "server";
    info.protocols = protocols;
    info.port = certificate ? CONTEXT_PORT_NO_LISTEN_SERVER : CONTEXT_PORT_NO_LISTEN;
    info.alpn = "http/1.1";
    if (certificate) {
        info.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
        info.ssl_cert_filepath = certificate;
        info.ssl_private_key_filepath = key;
        // TLS 1.2: forward secrecy and authenticated encryption only. TLS 1.3 has nothing else.
        info.ssl_cipher_list = "ECDHE+AESGCM:ECDHE+CHACHA20";
        info.ssl_options_set = SSL_OP_NO_SSLv3 | SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_NO_RENEGOTIATION;
    }
    return lws_create_vhost(context, &info);
}

static inline struct lws_vhost *causeway_client_vhost(struct lws_context *context, struct lws_protocols *protocols) {
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.vhost_name = "client";
    info.protocols = protocols;
    info.port = CONTEXT_PORT_NO_LISTEN;
    return lws_create_vhost(context, &info);
}

static inline struct lws *causeway_adopt_socket(struct lws_vhost *vhost, int fd, int tls, void *opaque) {
    lws_adopt_desc_t desc;
    memset(&desc, 0, sizeof desc);
    desc.vh = vhost;
    desc.type = (lws_adoption_type)(LWS_ADOPT_SOCKET | (tls ? LWS_ADOPT_ALLOW_SSL : 0));
    desc.fd.sockfd = fd;
    desc.vh_prot_name = "raw";
    desc.opaque = opaque;
    return lws_adopt_descriptor_vhost_via_info(&desc);
}

// A descriptor that is only waited for: a listening socket, a set.
static inline struct lws *causeway_adopt_file(struct lws_vhost *vhost, int fd) {
    lws_adopt_desc_t desc;
    memset(&desc, 0, sizeof desc);
    desc.vh = vhost;
    desc.type = LWS_ADOPT_RAW_FILE_DESC;
    desc.fd.filefd = fd;
    desc.vh_prot_name = "raw";
    return lws_adopt_descriptor_vhost_via_info(&desc);
}

static inline struct lws *causeway_connect(
    struct lws_context *context, struct lws_vhost *vhost, const char *address, int port, const char *host, void *opaque) {
    struct lws_client_connect_info info;
    memset(&info, 0, sizeof info);
    info.context = context;
    info.vhost = vhost;
    info.address = address;
    info.port = port;
    info.host = host;
    info.origin = host;
    info.path = "/";
    info.method = "RAW";
    info.local_protocol_name = "raw";
    info.protocol = "raw";
    info.opaque_user_data = opaque;
    return lws_client_connect_via_info(&info);
}

static inline void causeway_kill(struct lws *wsi) {
    lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC);
}

static inline void causeway_no_timeout(struct lws *wsi) { lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0); }

static inline size_t causeway_write_padding(void) { return LWS_PRE; }

static inline int causeway_write(struct lws *wsi, unsigned char *bytes, size_t count) {
    return lws_write(wsi, bytes, count, LWS_WRITE_RAW);
}

// Seconds since 1970; 0: not a time.
static inline int causeway_seconds(const ASN1_TIME *time, long long *out) {
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int days = 0, seconds = 0;
    int known = epoch && ASN1_TIME_diff(&days, &seconds, epoch, time);
    ASN1_TIME_free(epoch);
    *out = (long long)days * 86400 + seconds;
    return known;
}

// SHA-256 of a certificate and of its SubjectPublicKeyInfo, and its dates.
struct causeway_certificate {
    unsigned char fingerprint[32];
    unsigned char key[32];
    long long from, until;
};

// 0: there is none, or it cannot be read.
static inline int causeway_describe(X509 *certificate, struct causeway_certificate *out) {
    unsigned int size = 0;
    if (!certificate || !X509_digest(certificate, EVP_sha256(), out->fingerprint, &size) || size != 32) return 0;
    unsigned char *der = NULL;
    int length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
    if (length <= 0) return 0;
    SHA256(der, (size_t)length, out->key);
    OPENSSL_free(der);
    return causeway_seconds(X509_get0_notBefore(certificate), &out->from)
        && causeway_seconds(X509_get0_notAfter(certificate), &out->until);
}

static inline int causeway_describe_peer(SSL *ssl, struct causeway_certificate *out) {
    X509 *certificate = SSL_get1_peer_certificate(ssl);
    int known = causeway_describe(certificate, out);
    X509_free(certificate);
    return known;
}

// No passphrase is asked for: a key that needs one cannot be used.
static inline int causeway_no_passphrase(char *buffer, int size, int writing, void *owner) {
    (void)buffer, (void)size, (void)writing, (void)owner;
    return -1;
}

// A certificate, its chain and its key, held by a context of their own. NULL: they cannot be read or do not belong together.
static inline SSL_CTX *causeway_identity(const char *certificate, const char *key) {
    SSL_CTX *made = SSL_CTX_new(TLS_server_method());
    if (!made) return NULL;
    SSL_CTX_set_default_passwd_cb(made, causeway_no_passphrase);
    if (SSL_CTX_use_certificate_chain_file(made, certificate) == 1 && SSL_CTX_use_PrivateKey_file(made, key, SSL_FILETYPE_PEM) == 1
        && SSL_CTX_check_private_key(made) == 1)
        return made;
    SSL_CTX_free(made);
    return NULL;
}

// Which identity a server shows; one a server, changed on its thread only.
struct causeway_identity_slot {
    SSL_CTX *current;
};

// For each full handshake. All certificates of the connection's own are cleared, for one of another kind of key would go on being chosen.
static inline int causeway_show_identity(SSL *ssl, void *slot) {
    SSL_CTX *identity = ((struct causeway_identity_slot *)slot)->current;
    STACK_OF(X509) *chain = NULL;
    SSL_CTX_get0_chain_certs(identity, &chain);
    SSL_certs_clear(ssl);
    return SSL_use_cert_and_key(ssl, SSL_CTX_get0_certificate(identity), SSL_CTX_get0_privatekey(identity), chain, 1);
}

static inline void causeway_show_identities_of(SSL_CTX *server, struct causeway_identity_slot *slot) {
    SSL_CTX_set_cert_cb(server, causeway_show_identity, slot);
}

// At least TLS 1.2.
static inline SSL_CTX *causeway_tls_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (context && !SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION)) {
        SSL_CTX_free(context);
        return NULL;
    }
    return context;
}

// The name goes into SNI and must be in the certificate; a numeric address only the latter.
static inline int causeway_tls_expect(SSL *ssl, const char *host, int numeric) {
    static const unsigned char alpn[] = "\x08http/1.1";
    if (SSL_set_alpn_protos(ssl, alpn, 9) != 0) return 0;
    if (numeric) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host);
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set_tlsext_host_name(ssl, host) == 1 && SSL_set1_host(ssl, host) == 1;
}

// Raw deflate streams, RFC 1951.
static inline int causeway_inflate_begin(z_stream *stream) { return inflateInit2(stream, -15); }
static inline int causeway_deflate_begin(z_stream *stream, int window_bits) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -window_bits, 8, Z_DEFAULT_STRATEGY);
}
// Begins a new stream and keeps the window: a message may go on after a final block (RFC 7692 7.2.3.4).
static inline int causeway_inflate_go_on(z_stream *stream) { return inflateResetKeep(stream); }
// Whether inflate stands between two blocks, on a whole byte (zlib.h, data_type).
static inline int causeway_inflate_is_between_blocks(const z_stream *stream) {
    return (stream->data_type & 128) != 0 && (stream->data_type & 63) == 0;
}
