/* SPDX-License-Identifier: Apache-2.0 */
/* Writing of generated files: the common header, wrapped number arrays, shared pools. */
#ifndef MODELGEN_WRITER_H
#define MODELGEN_WRITER_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace modelgen
{

/* Text gathered in memory; written in one go, so that a failing stage leaves no half file. */
class GenFile
{
  public:
    /* `name` is the file's name inside gen_dir, `purpose` one sentence. C files get a C comment, .txt files a '#' one.
     */
    GenFile(const std::string &gen_dir, const std::string &name, const std::string &purpose);

    void text(const std::string &line) { body += line; }
    void format(const char *fmt, ...) __attribute__((format(printf, 2, 3)));

    /* static const TYPE NAME[] = {...}, a few items a line; an empty list becomes the one item `empty`. */
    void array(const std::string &type, const std::string &name, const std::vector<std::string> &items,
               const std::string &empty = "{0}");
    template <typename T> void numbers(const std::string &type, const std::string &name, const std::vector<T> &values)
    {
        std::vector<std::string> items;
        for (const auto &value : values)
            items.push_back(std::to_string(value));
        array(type, name, items, "0");
    }

    /* Exit status: 0, or 1 after a message. */
    int write() const;

  private:
    std::string path;
    std::string body;
};

/* Appends `list` to `pool` unless it already occurs in it; returns its offset. */
template <typename T> size_t pool_list(std::vector<T> &pool, const std::vector<T> &list)
{
    auto at = std::search(pool.begin(), pool.end(), list.begin(), list.end());
    size_t offset = static_cast<size_t>(at - pool.begin());
    if (list.empty())
        return 0;
    if (at == pool.end())
        pool.insert(pool.end(), list.begin(), list.end());
    return offset;
}

/* printf into a std::string. */
std::string strf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A table does not fit its packed width: say which and stop. */
[[noreturn]] void overflow(const char *what, unsigned long value);

inline unsigned long fit(const char *what, unsigned long value, unsigned long limit)
{
    if (value > limit)
        overflow(what, value);
    return value;
}

} // namespace modelgen

#endif
