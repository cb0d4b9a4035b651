// The peer of `causeway bench codec`: C++ libprotobuf on the same bytes, parsing into a reused message and encoding into a reused
// buffer. Reads `decode N` or `encode N` lines, does N messages in turn, answers with the nanoseconds one took.
// Usage: peer FILE, where FILE has the messages, each after one byte with its length.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "quote.pb.h"

using causeway::v1::Quote;

int main(int count, char** arguments) {
    if (count != 2) return 2;
    std::ifstream file(arguments[1], std::ios::binary);
    std::vector<std::string> encoded;
    for (int length = file.get(); length != EOF; length = file.get()) {
        std::string bytes(length, '\0');
        if (!file.read(&bytes[0], length)) return 2;
        encoded.push_back(bytes);
    }
    if (encoded.empty()) return 2;
    std::vector<Quote> quotes(encoded.size());
    for (size_t i = 0; i < encoded.size(); i++) {
        if (!quotes[i].ParseFromString(encoded[i]) || quotes[i].SerializeAsString() != encoded[i]) return 3;
    }
    Quote reused;
    std::string buffer;
    buffer.reserve(4096);
    char word[16];
    long times;
    while (scanf("%15s %ld", word, &times) == 2) {
        unsigned long sum = 0;
        size_t at = 0;
        auto begin = std::chrono::steady_clock::now();
        if (strcmp(word, "decode") == 0) {
            for (long i = 0; i < times; i++) {
                if (!reused.ParseFromString(encoded[at])) return 3;
                sum += reused.last();
                if (++at == encoded.size()) at = 0;
            }
        } else {
            for (long i = 0; i < times; i++) {
                if (!quotes[at].SerializeToString(&buffer)) return 3;
                sum += buffer.size();
                if (++at == encoded.size()) at = 0;
            }
        }
        std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
        printf("%.3f %lu\n", taken.count() / times, sum);
        fflush(stdout);
    }
    return 0;
}
