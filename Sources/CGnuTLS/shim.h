/* GnuTLS, and its macros that Swift cannot read. */
#ifndef CGNUTLS_SHIM_H
#define CGNUTLS_SHIM_H
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

/* For `gnutls_x509_privkey_generate`: a key on the curve P-256. */
static inline unsigned cgnutls_p256(void) {
    return GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1);
}
/* A server's session that keeps nothing by which a later one could be shortened. */
static inline int cgnutls_server(gnutls_session_t *session) {
    return gnutls_init(session, GNUTLS_SERVER | GNUTLS_NONBLOCK | GNUTLS_NO_TICKETS);
}
/* What GnuTLS has allocated for its caller. */
static inline void cgnutls_free(void *memory) { gnutls_free(memory); }
#endif
