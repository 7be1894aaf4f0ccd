import { after } from 'node:test';

const made = new Map<string, unknown>();
const endings: (() => unknown)[] = [];
let endsWithProcess = false;

/** Says that `endOnce` is called when the last file of the process has ended. Without it, things end with the first file. */
export function keepOnce(): void {
  endsWithProcess = true;
}

/**
 * What the files of a process share, made when it is first asked for.
 *
 * @param name its name in the process: this module is the same for all files, and modules of `test/` that call it are not
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

/** Ends all of it. */
export async function endOnce(): Promise<void> {
  for (const end of endings.splice(0)) await end();
  made.clear();
}
