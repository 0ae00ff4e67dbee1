// SPDX-License-Identifier: Apache-2.0
// Stands in for kiln-worker and misbehaves as ODD_WORKER says.
#include "worker/protocol.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

using namespace kiln::worker;

int main() {
    const char* variable = std::getenv("ODD_WORKER");
    const std::string_view behaviour = variable != nullptr ? variable : "";
    constexpr int channel = 3;
    if (behaviour == "exits")
        return 0;
    if (behaviour == "other-protocol") {
        // {"protocol": 9, "hello": {"version": "9.9"}}
        constexpr std::string_view cbor = "\xa2\x65hello\xa1\x67version\x63"
                                          "9.9\x68protocol\x09";
        send_message(channel, std::as_bytes(std::span(cbor)));
        ::pause();
    }
    send_message(channel, encode(Hello{protocol_number, "0", ::getpid()}));
    bool timed_out = false;
    receive_message(channel, -1, timed_out);
    if (behaviour == "dies-before-it-began")
        return 0;
    send_message(channel, encode_began());
    if (behaviour == "crashes") {
        ::signal(SIGSEGV, SIG_DFL); // a sanitizer would catch it
        ::raise(SIGSEGV);
    }
    if (behaviour == "answers-nonsense")
        send_message(channel, std::as_bytes(std::span(std::string_view("nonsense"))));
    ::pause();
}
