// SPDX-License-Identifier: Apache-2.0
#include "cache/project.h"

#include <kiln/error.h>

#include <fstream>

using namespace kiln;
using namespace kiln::cache;

namespace {

Metadata sample() {
    Metadata metadata = test::metadata_90a();
    metadata.key = base::sha256("key").hex();
    metadata.target = Target::parse("sm_90a");
    metadata.label = "add{n=4}";
    metadata.log = "a warning in Latin-1: \xe9\n";
    metadata.ptx = ".version 9.0\n";
    metadata.created_ns = 1'764'547'200'000'000'000;
    metadata.fields = {{"source", "k.cu"}, {"options", "-DA=1\n-DB"}};
    return metadata;
}

Error refused(std::span<const std::byte> file) {
    return error_of([&] { decode_entry(file, sample().key, sample().target); });
}

} // namespace

TEST_CASE("an entry is read as it was written") {
    const Entry entry =
        decode_entry(encode_entry(sample(), test::image_90a()), sample().key, sample().target);
    CHECK(entry.image == test::image_90a());
    CHECK(entry.metadata.key == sample().key);
    CHECK(entry.metadata.target == sample().target);
    CHECK(entry.metadata.label == sample().label);
    CHECK(entry.metadata.backend == "nvrtc");
    CHECK(entry.metadata.toolkit == "13.0.88");
    CHECK(entry.metadata.log == sample().log);
    CHECK(entry.metadata.ptx == sample().ptx);
    CHECK(entry.metadata.created_ns == sample().created_ns);
    CHECK(entry.metadata.fields == sample().fields);
    REQUIRE(entry.metadata.kernels.size() == sample().kernels.size());
    const KernelInfo& kernel = entry.metadata.kernels.front();
    const KernelInfo expected = sample().kernels.front();
    CHECK(kernel.symbol == expected.symbol);
    CHECK(kernel.expressions == std::vector<std::string>{"add_one"});
    CHECK(kernel.registers == expected.registers);
    CHECK(kernel.static_shared_bytes == expected.static_shared_bytes);
    CHECK(kernel.local_bytes == expected.local_bytes);
    CHECK(kernel.max_threads_per_block == expected.max_threads_per_block);
    REQUIRE(kernel.parameters.size() == expected.parameters.size());
    CHECK(kernel.parameters.back().offset == expected.parameters.back().offset);
    CHECK(kernel.parameters.back().size == expected.parameters.back().size);
    CHECK(decode_metadata(encode_entry(sample(), test::image_90a())).label == sample().label);
}

TEST_CASE("an entry begins with the plain cubin") {
    const std::vector<std::byte> file = encode_entry(sample(), test::image_90a());
    CHECK(std::equal(test::image_90a().begin(), test::image_90a().end(), file.begin()));
    CHECK(cubin::inspect(file).bytes == test::image_90a().size());
}

TEST_CASE("every flipped bit and every length is refused") {
    const std::vector<std::byte> file = encode_entry(sample(), test::image_90a());
    for (std::size_t i = 0; i < file.size(); ++i) {
        std::vector<std::byte> flipped = file;
        flipped[i] ^= static_cast<std::byte>(1 << i % 8);
        CHECK(refused(flipped).code() == ErrorCode::cubin_invalid);
        flipped[i] = ~file[i];
        CHECK(refused(flipped).code() == ErrorCode::cubin_invalid);
    }
    for (std::size_t length = 0; length < file.size(); ++length) {
        const std::vector<std::byte> cut(file.begin(), file.begin() + static_cast<long>(length));
        CHECK(refused(cut).code() == ErrorCode::cubin_invalid);
    }
}

TEST_CASE("an entry of another key or target, or with a lie in it, is refused") {
    const std::vector<std::byte> file = encode_entry(sample(), test::image_90a());
    Error error = error_of([&] { decode_entry(file, std::string(64, '0'), sample().target); });
    CHECK(contains(error.message(), "is of the key " + sample().key));
    error = error_of([&] { decode_entry(file, sample().key, Target::parse("sm_90")); });
    CHECK(contains(error.message(), "is for sm_90a, not sm_90"));

    // Sound frames around what they should not hold.
    Metadata metadata = sample();
    metadata.target = Target::parse("sm_90");
    CHECK_THROWS_AS(
        decode_entry(encode_entry(metadata, test::image_90a()), metadata.key, metadata.target),
        Error);
    metadata = sample();
    metadata.kernels.front().symbol = "no_such_kernel";
    CHECK(refused(encode_entry(metadata, test::image_90a())).code() == ErrorCode::cubin_invalid);
    const std::vector<std::byte> noise(5000, std::byte{7});
    CHECK(refused(encode_entry(sample(), noise)).code() == ErrorCode::cubin_invalid);
    CHECK(refused(test::image_90a()).message() == "the file does not end as an entry does");
}

TEST_CASE("the format of version 1 stays as it is") {
    const std::vector<std::byte> file = encode_entry(sample(), test::image_90a());
    std::ifstream golden(KILN_CACHE_TEST_DATA "/version1.entry", std::ios::binary);
    REQUIRE(golden);
    const std::string expected((std::istreambuf_iterator<char>(golden)), {});
    CHECK(std::string(reinterpret_cast<const char*>(file.data()), file.size()) == expected);
    CHECK(decode_entry(std::as_bytes(std::span(expected)), sample().key, sample().target).image ==
          test::image_90a());
}
