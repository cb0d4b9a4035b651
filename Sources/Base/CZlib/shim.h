#pragma once
#include <zlib.h>

// A macro that Swift does not import: a raw deflate stream, as zip files hold.
static inline int causeway_raw_inflate_begin(z_stream *stream) { return inflateInit2(stream, -15); }
