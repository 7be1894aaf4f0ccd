import { after } from 'node:test';

const made = new Map<string, unknown>();
const endings: (() => unknown)[] = [];
let endsWithProcess = false;

/** Says that `endOnce` is called when the last file of the process has ended. Without it, things end with the first file. */
export function keepOnce(): void {
  endsWithProcess = true;
}

/**
 * Returns a resource that the files of a process share; the first call creates it.
 *
 * @param name identifies it in the process: all files share this module, but each has its own instances of the modules of
 * `test/` that call it
 */
export function once<T>(name: string, make: () => T, end: (one: T) => unknown): T {
  if (!made.has(name)) {
    const one = make();
    made.set(name, one);
    const ending = () => end(one);
    if (endsWithProcess) endings.push(ending);
    else after(ending);
  }
  return made.get(name) as T;
}

/** Ends all shared resources. */
export async function endOnce(): Promise<void> {
  for (const end of endings.splice(0)) await end();
  made.clear();
}
