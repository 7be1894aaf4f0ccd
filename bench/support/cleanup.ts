/* Clean-up of processes and folders at every end of the bench, including Ctrl-C and SIGTERM. */

type Undo = () => Promise<void> | void;

const undos: Undo[] = [];
let running: Promise<void> | undefined;

/**
 * Registers a function to call at the end, in reverse order. Returns it, so that it can be called earlier: it runs
 * once.
 */
export function atTheEnd(undo: Undo): () => Promise<void> {
  let done: Promise<void> | undefined;
  const once = () => {
    done ??= Promise.resolve(undo());
    return done;
  };
  undos.push(once);
  return once;
}

/** Whether the end has begun: later failures result from it. */
export const isEnding = () => running !== undefined;

/** Calls all registered functions. A second call waits for the first. */
export function cleanUp(): Promise<void> {
  running ??= (async () => {
    for (const undo of undos.reverse()) {
      try {
        await undo();
      } catch (error) {
        console.error('clean-up:', (error as Error).message);
      }
    }
  })();
  return running;
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    void cleanUp().then(() => process.exit(code));
  });
}
