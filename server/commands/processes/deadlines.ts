/** Milliseconds after SIGTERM for a process to finish what is in flight, and then to end. */
export const GRACE_MS = 9_000;
export const END_MS = 3_000;
