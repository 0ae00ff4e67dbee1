// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

namespace kiln::cache {

/// One flight a request among the threads of this process. Thread-safe.
class Flights {
  public:
    /// Held by the thread that flies; the request is free when it goes. Keeps the set alive.
    class Token {
      public:
        ~Token();
        Token(const Token&) = delete;
        Token& operator=(const Token&) = delete;

      private:
        friend class Flights;
        struct Sky;
        Token(std::shared_ptr<Sky> sky, const base::Digest& request);
        std::shared_ptr<Sky> sky_;
        base::Digest request_;
    };

    Flights();
    /// Waits until nobody flies for `request`; null at `deadline`.
    std::unique_ptr<Token> take(const base::Digest& request,
                                std::chrono::steady_clock::time_point deadline);

  private:
    std::shared_ptr<Token::Sky> sky_;
};

} // namespace kiln::cache
