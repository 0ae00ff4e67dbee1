// SPDX-License-Identifier: Apache-2.0
#include "cache/flights.h"

namespace kiln::cache {

struct Flights::Token::Sky {
    std::mutex mutex;
    std::condition_variable landed;
    std::set<base::Digest> flying;
};

Flights::Token::Token(std::shared_ptr<Sky> sky, const base::Digest& request)
    : sky_(std::move(sky)), request_(request) {}

Flights::Token::~Token() {
    {
        const std::scoped_lock lock(sky_->mutex);
        sky_->flying.erase(request_);
    }
    sky_->landed.notify_all();
}

Flights::Flights() : sky_(std::make_shared<Token::Sky>()) {}

std::unique_ptr<Flights::Token> Flights::take(const base::Digest& request,
                                              std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(sky_->mutex);
    const bool free =
        sky_->landed.wait_until(lock, deadline, [&] { return sky_->flying.count(request) == 0; });
    if (!free)
        return nullptr;
    std::unique_ptr<Token> token(new Token(sky_, request));
    sky_->flying.insert(request);
    return token;
}

} // namespace kiln::cache
