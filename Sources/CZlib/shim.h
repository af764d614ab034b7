#include <zlib.h>

// The library's own initialisers are macros.
static inline int squall_deflate_init_gzip(z_stream *stream) {
    return deflateInit2(stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int squall_inflate_init_gzip(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}
