// SPDX-License-Identifier: Apache-2.0
#include "cache/memory_tier.h"

#include <doctest/doctest.h>

using namespace kiln;
using namespace kiln::cache;

namespace {

Cubin cubin_of(std::size_t bytes) {
    Cubin cubin;
    cubin.bytes = std::make_shared<const std::vector<std::byte>>(bytes);
    return cubin;
}

} // namespace

TEST_CASE("cubins are dropped by last use when their bytes pass the bound") {
    MemoryTier tier(40'000); // 30,000 for cubins
    const base::Digest a = base::sha256("a"), b = base::sha256("b"), c = base::sha256("c");
    tier.put(a, cubin_of(10'000));
    tier.put(b, cubin_of(10'000));
    REQUIRE(tier.cubin(a)); // now `b` was used longest ago
    tier.put(c, cubin_of(10'000));
    CHECK(tier.cubin(a));
    CHECK_FALSE(tier.cubin(b));
    CHECK(tier.cubin(c));
    CHECK(tier.bytes() <= 30'000);

    tier.put(b, cubin_of(100'000)); // larger than the whole tier: not kept, and nothing lost
    CHECK_FALSE(tier.cubin(b));
    CHECK(tier.cubin(a));

    tier.put(a, cubin_of(5'000)); // replaces
    CHECK(tier.cubin(a)->image().size() == 5'000);
    CHECK(tier.bytes() < 16'000);
    tier.clear();
    CHECK_FALSE(tier.cubin(a));
    CHECK(tier.bytes() == 0);
}

TEST_CASE("manifests have a bound of their own, and bring their paths") {
    MemoryTier tier(1 << 20);
    InputSet set;
    set.files = {{{"I0", "a.h"}, {}, {}, true}};
    set.absent = {{{"source", "a.h"}, {}}};
    Manifest manifest{base::sha256("request"), {}};
    manifest.remember({set, base::sha256("key")});
    const std::vector<NamedRoot> roots{{"source", "/p/src"}, {"I0", "/p/inc"}};
    const auto known = std::make_shared<const KnownManifest>(manifest, roots);
    CHECK(known->paths(0).files == std::vector<std::filesystem::path>{"/p/inc/a.h"});
    CHECK(known->paths(0).absent == std::vector<std::filesystem::path>{"/p/src/a.h"});
    for (int i = 0; i < 1000; ++i)
        tier.put(base::sha256(std::to_string(i)), known);
    CHECK(tier.manifest(base::sha256("999")) == known);
    CHECK_FALSE(tier.manifest(base::sha256("0")));
    CHECK(tier.bytes() <= (1 << 20) / 4);
}
