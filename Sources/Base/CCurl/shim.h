#pragma once
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic; these name the options used.
static inline CURLcode causeway_curl_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode causeway_curl_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode causeway_curl_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode causeway_curl_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
typedef size_t (*causeway_curl_bytes)(char *bytes, size_t size, size_t count, void *owner);
typedef int (*causeway_curl_progress)(void *owner, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
static inline CURLcode causeway_curl_on_bytes(CURL *handle, CURLoption option, causeway_curl_bytes call) {
    return curl_easy_setopt(handle, option, call);
}
static inline CURLcode causeway_curl_on_progress(CURL *handle, causeway_curl_progress call) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, call);
}
static inline long causeway_curl_status(CURL *handle) {
    long status = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
static inline long causeway_curl_sent(CURL *handle) {
    long sent = 0;
    return curl_easy_getinfo(handle, CURLINFO_REQUEST_SIZE, &sent) == CURLE_OK ? sent : 0;
}
