/* SPDX-License-Identifier: Apache-2.0 */
#include <atomic>

#include "shapes.h"

namespace app
{
namespace net
{
struct Base {
    long base_field;
};
struct Conn : Base {
    int refs;
    alignas(64) uint64_t hits;
    static int live;
    void *owner;
};
Conn conns[2];
int Conn::live = 3;
inline int shared_inline = 4;
} // namespace net
namespace
{
volatile struct {
    int a, b;
} secret = {1, 2};
} // namespace
int peek()
{
    return ++secret.b;
}
} // namespace app

template <class T> struct Box {
    T value;
    T other;
    static T total;
};
template <class T> T Box<T>::total = 5;
Box<long> box;
enum class Mode : uint8_t { off, on };
struct WithMode {
    Mode mode;
    bool flag;
    Box<int> nested;
    int &ref;
    class Hidden
    {
        friend struct Peek;
        int inside[2];
    } hidden;
};
static int target;
WithMode with_mode = {Mode::on, true, {1, 2}, target, {}};
struct alignas(64) Slot {
    std::atomic<uint64_t> count;
    char text[8];
};
Slot slots[4];

struct Peek {
    static void tell() { MEMBER("with_mode", with_mode, with_mode.hidden.inside[1], 1, "", "int"); }
};

__attribute__((noinline)) int *keep()
{
    static int within[2] = {3, 4};
    within[1]++;
    return within;
}

using app::net::conns;

int main(int argc, char **)
{
    shapes_tell = argc > 1;
    shape("app::net::conns", "app::net::conns[1].hits", sizeof(app::net::Conn) + 64, sizeof(app::net::Conn) + 64, 8, "",
          "uint64_t");
    MEMBER("app::net::conns", conns, app::net::conns[1].refs, 2, "", "int");
    MEMBER("app::net::conns", conns, app::net::conns[0].base_field, 2, "", LONG);
    MEMBER("app::net::conns", conns, app::net::conns[0].owner, 0, "", "void *");
    MEMBER("app::net::Conn::live", app::net::Conn::live, app::net::Conn::live, 0, "", "int");
    MEMBER("app::net::shared_inline", app::net::shared_inline, app::net::shared_inline, 1, "", "int");
    shape("app::(anonymous namespace)::secret", "app::(anonymous namespace)::secret.b", 4, 4, 4, "", "int");
    MEMBER("box", box, box.other, 0, "", LONG);
    MEMBER("Box<int>::total", Box<int>::total, Box<int>::total, 0, "", "int");
    MEMBER("with_mode", with_mode, with_mode.mode, 0, "", "Mode");
    MEMBER("with_mode", with_mode, with_mode.flag, 0, "", "bool");
    MEMBER("with_mode", with_mode, with_mode.nested.other, 0, "", "int");
    Peek::tell();
    MEMBER("slots", slots, slots[3].text[7], 0, "", "char");
    shape("keep()::within", "keep::within[1]", 4, 4, 4, "", "int");
    return app::peek() + app::net::shared_inline++ + *keep() + Box<int>::total > 100;
}
