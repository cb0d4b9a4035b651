// Tells the thread sanitizer of Synchronization.Mutex's slow path, which lies in a library that is not instrumented: a lock handed over by
// the kernel would look like no lock at all. Preloaded by scripts/test-long; does nothing in a process without the sanitizer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

typedef SWIFT void (*lock_slow)(uint32_t thread, SELF);
typedef SWIFT void (*unlock_slow)(SELF);

SWIFT void $s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF(uint32_t thread, SELF) {
    ((lock_slow)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"))(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void $s15Synchronization12_MutexHandleV11_unlockSlowyyF(SELF) {
    if (__tsan_release) __tsan_release(self);
    ((unlock_slow)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"))(self);
}
