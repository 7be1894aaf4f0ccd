/*
 * Loaded before the service (--import): measures the processor time of the main thread in each turn of the event loop,
 * and prints the longest since the last time when it gets SIGUSR2. `threadCpuUsage` counts what this thread has used,
 * so a busy machine makes no turn longer.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.argv[2] === 'start') {
  let longest = 0;
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let before = used();
  // An immediate is run once in each turn; it keeps no turn waiting, and looks every time.
  const look = () => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
    setTimeout(look, 1).unref();
  };
  look();
  process.on('SIGUSR2', () => {
    const now = used();
    process.stdout.write(`LOOP ${Math.max(longest, now - before)}\n`);
    longest = 0;
    before = now;
  });
}
