/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file, or standard input, in memory. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pool.h"

/* Pipes, and files too small to be worth a mapping. */
static int read_stream(struct file *file, int fd)
{
    struct text text = { 0 };
    char buffer[16384];
    for (;;) {
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int error = errno;
            text_free(&text);
            return error;
        }
        if (got == 0)
            break;
        text_add(&text, buffer, (size_t)got);
    }
    if (!text.data)
        text_add(&text, "", 0);
    file->memory = text.data;
    file->data = (const uint8_t *)text.data;
    file->size = text.len;
    return 0;
}

static int read_fd(struct file *file, int fd)
{
    struct stat st;
    void *map;
    if (fstat(fd, &st))
        return errno;
    if (S_ISDIR(st.st_mode))
        return EISDIR;
    if (!S_ISREG(st.st_mode) || st.st_size < 65536)
        return read_stream(file, fd);
    map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED)
        return read_stream(file, fd);
    file->data = map;
    file->size = (size_t)st.st_size;
    return 0;
}

bool file_read(struct file *file, const char *name, struct diag *diag)
{
    bool standard = !strcmp(name, "-");
    int fd, error;
    memset(file, 0, sizeof *file);
    file->name = standard ? "<stdin>" : name;
    fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    error = fd < 0 ? errno : read_fd(file, fd);
    if (fd >= 0 && !standard)
        close(fd);
    if (!error)
        return true;
    diag_say(diag, DIAG_ERROR, "%s: %s", name, strerror(error));
    return false;
}

void file_free(struct file *file)
{
    if (file->memory) {
        struct text text = { .data = file->memory };
        text_free(&text);
    } else if (file->data) {
        munmap((void *)(uintptr_t)file->data, file->size);
    }
    memset(file, 0, sizeof *file);
}
