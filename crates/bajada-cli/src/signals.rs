//! Ctrl-C and friends: the one place that differs between systems.

use bajada::Task;

/// Stops `task` at the first signal and the process at the second. The code of
/// the signal that came is the exit code of the command.
#[cfg(unix)]
pub(crate) fn stop_on_signal(task: &Task) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let task = task.clone();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let code = 128 + signal;
            if task.is_cancelled() {
                std::process::exit(code);
            }
            SIGNAL.store(code, std::sync::atomic::Ordering::Relaxed);
            task.cancel();
        }
    });
}

/// On other systems the process ends at once; staged files are swept up by the
/// next build.
#[cfg(not(unix))]
pub(crate) fn stop_on_signal(_: &Task) {}

static SIGNAL: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(0);

/// Whether the signal that stopped the task asked to end, rather than Ctrl-C.
pub(crate) fn was_terminated() -> bool {
    SIGNAL.load(std::sync::atomic::Ordering::Relaxed) == 143
}

/// A limit on file sizes must come back as an error, not kill the process.
#[cfg(unix)]
pub(crate) fn ignore_file_size_limit() {
    // Registering any handler replaces the deadly default.
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag);
}

/// Other systems have no such signal.
#[cfg(not(unix))]
pub(crate) fn ignore_file_size_limit() {}
