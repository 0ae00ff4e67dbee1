// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/error.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::base {

struct YamlTree;
struct YamlTreeNode;

/// Where something was written. Line and column count from 1, the column in bytes; 0: not in a
/// file.
struct Origin {
    std::string file;
    int line = 0;
    int column = 0;
    std::string str() const;         ///< `policy.yaml:12`
    std::string with_column() const; ///< `policy.yaml:12:3`
};

/// A YAML node with its place: strict, and every complaint is an Error of the document's code with
/// context "location" = file:line:column, which its message begins with too. Scalars are handed out
/// as the text that was written, never as a float. A null node counts as an empty map and as an
/// empty list. Cheap to copy; keeps its document alive. Safe to read from many threads.
class YamlNode {
  public:
    /// `name` is what origins show. Errors: duplicate keys, keys that are no scalars, merge keys,
    /// tags, more than 1 MiB of text, depth over 64 (aliases followed), aliases that expand to more
    /// than 100,000 nodes, several documents, `%TAG`, text that is not UTF-8 or holds control
    /// characters or line breaks other than `\n` and `\r\n`. Throws Error(code).
    static YamlNode parse(std::string_view text, std::string name, ErrorCode code);
    /// Reads and parses; origins show `path` as given.
    static YamlNode load(const std::filesystem::path& path, ErrorCode code);

    bool is_map() const noexcept;
    bool is_list() const noexcept;
    bool is_scalar() const noexcept;
    bool is_null() const noexcept; ///< absent value, `~`, `null`
    Origin origin() const;

    /// The value of a key, or a null node (its origin is this node's). Error if this is a scalar
    /// or a list.
    YamlNode operator[](std::string_view key) const;
    bool has(std::string_view key) const;
    /// The value; an error that names the key if it is absent or null.
    YamlNode require(std::string_view key) const;
    /// Keys and values in the order of the file; the origin of `first` is the key's.
    struct Entry {
        std::string key;
        Origin key_origin;
        std::shared_ptr<const YamlNode> value;
    };
    std::vector<Entry> entries() const;
    /// The elements of a list; a scalar or map counts as a list of one, null as none.
    std::vector<YamlNode> items() const;
    /// An error at the first unknown key, naming the nearest known one.
    void only_keys(std::initializer_list<std::string_view> known) const;

    std::string text() const;               ///< the scalar as written; error if it is none
    bool boolean() const;                   ///< `true` or `false`
    std::int64_t integer() const;           ///< decimal
    std::vector<std::string> texts() const; ///< a scalar or a list of scalars; null: none

    /// An Error of the document's code at this place.
    Error error(std::string message, std::string hint = {}) const;

  private:
    YamlNode(std::shared_ptr<const YamlTree> tree, const YamlTreeNode* node, int line, int column);
    YamlNode child(const YamlTreeNode* node) const;
    const YamlTreeNode* find(std::string_view key) const;
    void expect_map() const;

    std::shared_ptr<const YamlTree> tree_;
    const YamlTreeNode* node_; // null for an absent value
    // The name of an origin is the tree's: a node of a document costs no string.
    int line_ = 0;
    int column_ = 0;
};

} // namespace kiln::base
