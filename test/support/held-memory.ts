import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * The memory of this process, in MiB, that is still in use after a garbage collection: objects and buffers. The resident
 * size is no measure of it, because it grows with garbage that a busy machine collects late.
 */
export function heldMemory(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
