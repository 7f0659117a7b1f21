/* SPDX-License-Identifier: Apache-2.0 */
/* Runs another program with given input and collects what it prints: by pipes, without a shell. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool is_program(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

bool process_find(const char *name, struct text *path)
{
    const char *dirs = getenv("PATH");
    if (strchr(name, '/')) {
        path->len = 0;
        text_add(path, name, strlen(name));
        return is_program(name);
    }
    while (dirs && *dirs) {
        size_t len = strcspn(dirs, ":");
        path->len = 0;
        text_printf(path, "%.*s/%s", len ? (int)len : 1, len ? dirs : ".", name);
        if (is_program(path->data))
            return true;
        dirs += len + (dirs[len] == ':');
    }
    return false;
}

/* The three pipes; [0] is read from, [1] written to. */
struct pipes {
    int in[2], out[2], err[2];
};

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_pipes(struct pipes *p)
{
    for (int i = 0; i < 2; i++) {
        close_fd(&p->in[i]);
        close_fd(&p->out[i]);
        close_fd(&p->err[i]);
    }
}

static int open_pipes(struct pipes *p)
{
    *p = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 } };
    if (pipe2(p->in, O_CLOEXEC) || pipe2(p->out, O_CLOEXEC) || pipe2(p->err, O_CLOEXEC)) {
        int error = errno;
        close_pipes(p);
        return error;
    }
    return 0;
}

static int spawn(char *const argv[], const struct pipes *p, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (!(error = posix_spawn_file_actions_adddup2(&actions, p->in[0], 0)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, p->out[1], 1)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, p->err[1], 2)))
        error = posix_spawn(pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Takes what can be read; closes at the end of the stream. */
static void drain(int *fd, struct text *text)
{
    char buffer[16384];
    ssize_t got = read(*fd, buffer, sizeof buffer);
    if (got > 0)
        text_add(text, buffer, (size_t)got);
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        close_fd(fd);
}

/* Feeds and drains the child until it has closed both its outputs. */
static void converse(struct pipes *p, const char *input, size_t input_len, struct process_result *result)
{
    size_t sent = 0;
    fcntl(p->in[1], F_SETFL, O_NONBLOCK);
    if (input_len == 0)
        close_fd(&p->in[1]);
    while (p->out[0] >= 0 || p->err[0] >= 0) {
        struct pollfd fds[3] = { { p->out[0], POLLIN, 0 }, { p->err[0], POLLIN, 0 }, { p->in[1], POLLOUT, 0 } };
        if (poll(fds, 3, -1) < 0 && errno != EINTR)
            break;
        if (p->out[0] >= 0 && fds[0].revents)
            drain(&p->out[0], &result->out);
        if (p->err[0] >= 0 && fds[1].revents)
            drain(&p->err[0], &result->err);
        if (p->in[1] >= 0 && fds[2].revents) {
            ssize_t wrote = write(p->in[1], input + sent, input_len - sent);
            if (wrote > 0)
                sent += (size_t)wrote;
            /* A child that does not read on (EPIPE) has said why on its standard error. */
            if (sent == input_len || (wrote < 0 && errno != EINTR && errno != EAGAIN))
                close_fd(&p->in[1]);
        }
    }
}

int process_run(char *const argv[], const char *input, size_t input_len, struct process_result *result)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
    struct pipes p;
    pid_t pid;
    int status = 0, error;

    memset(result, 0, sizeof *result);
    error = open_pipes(&p);
    if (error)
        return error;
    error = spawn(argv, &p, &pid);
    if (error) {
        close_pipes(&p);
        return error;
    }
    close_fd(&p.in[0]);
    close_fd(&p.out[1]);
    close_fd(&p.err[1]);
    sigaction(SIGPIPE, &ignore, &before);
    converse(&p, input, input_len, result);
    sigaction(SIGPIPE, &before, NULL);
    close_pipes(&p);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return 0;
}

void process_result_free(struct process_result *result)
{
    text_free(&result->out);
    text_free(&result->err);
}
