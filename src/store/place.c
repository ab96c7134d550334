#include "store/place.h"

#include "base/file.h"

#include <string.h>

#ifdef _WIN32
#include <windows.h>
#elif defined __linux__
#include <sys/vfs.h>
#elif defined __APPLE__ || defined __FreeBSD__ || defined __OpenBSD__ || defined __DragonFly__
#include <sys/mount.h>
#include <sys/param.h>
#endif

#ifdef _WIN32

static bool is_on_network(const char *path) {
    WCHAR wide[FILE_PATH_CAPACITY], drive[FILE_PATH_CAPACITY];
    return MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, FILE_PATH_CAPACITY) > 0 &&
           GetVolumePathNameW(wide, drive, FILE_PATH_CAPACITY) && GetDriveTypeW(drive) == DRIVE_REMOTE;
}

#else

/* The file, or the folder in which it will be. */
#ifdef __linux__

/* The numbers of statfs(2). FUSE is more often a network (sshfs) than a disk. */
static bool is_network(const char *path, bool *found) {
    static const unsigned NETWORKS[] = {
        0x6969 /* NFS */,       0x517B /* SMB */,        0xFF534D42 /* CIFS */,
        0xFE534D42 /* SMB 2 */, 0x564C /* NCP */,        0x5346414F /* AFS */,
        0x6B414653 /* kAFS */,  0x73757245 /* Coda */,   0x01021997 /* 9P */,
        0x00C36400 /* Ceph */,  0x0BD00BD0 /* Lustre */, 0x7461636F /* OCFS2 */,
        0x01161970 /* GFS2 */,  0x65735546 /* FUSE */,   0x786F4256 /* VirtualBox */};
    struct statfs drive;
    *found = statfs(path, &drive) == 0;
    for (size_t i = 0; *found && i < sizeof NETWORKS / sizeof NETWORKS[0]; i++)
        if ((unsigned)drive.f_type == NETWORKS[i]) return true;
    return false;
}

#elif defined MNT_LOCAL

static bool is_network(const char *path, bool *found) {
    struct statfs drive;
    *found = statfs(path, &drive) == 0;
    return *found && !(drive.f_flags & MNT_LOCAL);
}

#else

static bool is_network(const char *path, bool *found) {
    (void)path;
    *found = true;
    return false;
}

#endif

static bool is_on_network(const char *path) {
    char folder[FILE_PATH_CAPACITY];
    bool found;
    if (is_network(path, &found)) return true;
    if (found) return false;
    const char *slash = strrchr(path, '/');
    if (slash == NULL) return is_network(".", &found);
    text_copy((TextView){path, (size_t)(slash - path) + 1}, folder, sizeof folder);
    return is_network(folder, &found);
}

#endif

Status place_check(const char *path) {
    if (!is_on_network(path)) return status_ok();
    return status_error("it is on a network drive, where two computers would damage it: keep it on a disk of "
                        "this computer, and combine stores by luft store merge");
}
