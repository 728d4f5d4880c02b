/* Writes down what a program does to the files of one folder, so that a power cut can be played.
 *
 * To be preloaded (LD_PRELOAD). Every change of a file in the folder POWER_CUT_FOLDER, and every
 * sync, is one record at the end of the file POWER_CUT_JOURNAL, in the order in which they were
 * done; power_cut.py reads them. A sync is only written down: nothing waits for the real disk.
 *
 * These are the calls that SQLite and Python make. One that is missing here would be noticed: the
 * test compares the files with what the journal makes of them. Memory that is mapped (SQLite's
 * -shm) is not recorded: after a crash SQLite makes it anew.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_OPEN 65536

struct record {
    uint64_t kind;   /* 'o'pened, 'w'ritten, 't'runcated, 's'ynced, 'u'nlinked */
    uint64_t file;   /* its inode; 0 for what is unlinked */
    uint64_t number; /* where it is written, or its new length, or the flags it is opened with */
    uint64_t length; /* of what follows: the bytes written, or the name within the folder */
};

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static uint64_t inodes[MOST_OPEN]; /* of the open files of the folder, 0 for all others */
static const char *folder;
static int journal;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("POWER_CUT_JOURNAL");
    if (path == NULL) return;
    journal = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (journal < 0) abort();
    folder = getenv("POWER_CUT_FOLDER");
}

static void note(char kind, uint64_t file, uint64_t number, const void *data, uint64_t length) {
    struct record head = {kind, file, number, length};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)data, length}};
    if (writev(journal, parts, 2) != (ssize_t)(sizeof head + length)) abort();
}

/* The name of a file within the folder, "." for the folder itself, NULL for all others. */
static const char *name_of(const char *path) {
    if (folder == NULL || strncmp(path, folder, strlen(folder)) != 0) return NULL;
    const char *rest = path + strlen(folder);
    if (*rest == '\0') return ".";
    return *rest == '/' ? rest + 1 : NULL;
}

static uint64_t inode_of(int file) {
    return file >= 0 && file < MOST_OPEN ? inodes[file] : 0;
}

static int opened(const char *path, int flags, mode_t mode) {
    const char *name = name_of(path);
    if (name == NULL) return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    pthread_mutex_lock(&one_at_a_time);
    int file = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (file >= 0) {
        struct stat found;
        if (file >= MOST_OPEN || fstat(file, &found) != 0) abort();
        inodes[file] = found.st_ino;
        note('o', found.st_ino, flags, name, strlen(name));
    }
    pthread_mutex_unlock(&one_at_a_time);
    return file;
}

static ssize_t written_at(int file, const void *data, size_t length, off_t at) {
    if (!inode_of(file)) return syscall(SYS_pwrite64, file, data, length, at);
    pthread_mutex_lock(&one_at_a_time);
    ssize_t done = syscall(SYS_pwrite64, file, data, length, at);
    if (done > 0) note('w', inode_of(file), at, data, done);
    pthread_mutex_unlock(&one_at_a_time);
    return done;
}

static int truncated(int file, off_t length) {
    if (!inode_of(file)) return syscall(SYS_ftruncate, file, length);
    pthread_mutex_lock(&one_at_a_time);
    int failed = syscall(SYS_ftruncate, file, length);
    if (!failed) note('t', inode_of(file), length, NULL, 0);
    pthread_mutex_unlock(&one_at_a_time);
    return failed;
}

static int synced(int file, long call) {
    if (!inode_of(file)) return syscall(call, file);
    pthread_mutex_lock(&one_at_a_time);
    note('s', inode_of(file), 0, NULL, 0);
    pthread_mutex_unlock(&one_at_a_time);
    return 0;
}

/* The C library's names for these things, some with a twin for large files. */

#define OPEN(name)                                                  \
    int name(const char *path, int flags, ...) {                    \
        va_list more;                                               \
        va_start(more, flags);                                      \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;   \
        va_end(more);                                               \
        return opened(path, flags, mode);                           \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int file, const void *data, size_t length) {
    if (!inode_of(file)) return syscall(SYS_write, file, data, length);
    pthread_mutex_lock(&one_at_a_time);
    ssize_t done = syscall(SYS_write, file, data, length);
    if (done > 0) note('w', inode_of(file), lseek(file, 0, SEEK_CUR) - done, data, done);
    pthread_mutex_unlock(&one_at_a_time);
    return done;
}

ssize_t pwrite(int file, const void *data, size_t length, off_t at) {
    return written_at(file, data, length, at);
}

ssize_t pwrite64(int file, const void *data, size_t length, off64_t at) {
    return written_at(file, data, length, at);
}

int ftruncate(int file, off_t length) { return truncated(file, length); }

int ftruncate64(int file, off64_t length) { return truncated(file, length); }

int fsync(int file) { return synced(file, SYS_fsync); }

int fdatasync(int file) { return synced(file, SYS_fdatasync); }

int unlink(const char *path) {
    const char *name = name_of(path);
    if (name == NULL) return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    pthread_mutex_lock(&one_at_a_time);
    int failed = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (!failed) note('u', 0, 0, name, strlen(name));
    pthread_mutex_unlock(&one_at_a_time);
    return failed;
}

int close(int file) {
    if (inode_of(file)) inodes[file] = 0;
    return syscall(SYS_close, file);
}
