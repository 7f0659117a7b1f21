/* SPDX-License-Identifier: Apache-2.0 */
/* Writing of generated files. */
#include "writer.h"

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "llvm/Config/llvm-config.h"

namespace modelgen
{

static std::string vformat(const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(nullptr, 0, fmt, again);
    va_end(again);
    std::string out(static_cast<size_t>(length), '\0');
    vsnprintf(&out[0], out.size() + 1, fmt, args);
    return out;
}

std::string strf(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    std::string out = vformat(fmt, args);
    va_end(args);
    return out;
}

void overflow(const char *what, unsigned long value)
{
    fprintf(stderr, "modelgen: %s: %lu does not fit the table's width\n", what, value);
    exit(1);
}

GenFile::GenFile(const std::string &gen_dir, const std::string &name, const std::string &purpose)
    : path(gen_dir + "/" + name)
{
    bool plain = name.size() > 4 && name.compare(name.size() - 4, 4, ".txt") == 0;
    const char *open = plain ? "# " : "/* ", *close = plain ? "\n" : " */\n";
    body = std::string(open) + "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" + close;
    body += open + purpose + " Written by hosted/modelgen from LLVM " LLVM_VERSION_STRING "; do not edit." + close;
}

void GenFile::format(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    body += vformat(fmt, args);
    va_end(args);
}

void GenFile::array(const std::string &type, const std::string &name, const std::vector<std::string> &items,
                    const std::string &empty)
{
    body += "static const " + type + " " + name + "[] = {\n";
    std::string line = "   ";
    const std::vector<std::string> placeholder(1, empty);
    for (const auto &item : items.empty() ? placeholder : items) {
        if (line.size() + item.size() + 2 > 118) {
            body += line + "\n";
            line = "   ";
        }
        line += " " + item + ",";
    }
    body += line + "\n};\n";
}

int GenFile::write() const
{
    FILE *file = fopen(path.c_str(), "wb");
    bool good = file && fwrite(body.data(), 1, body.size(), file) == body.size();
    if (file && fclose(file) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "modelgen: %s: cannot write: %s\n", path.c_str(), strerror(errno));
    return good ? 0 : 1;
}

} // namespace modelgen
