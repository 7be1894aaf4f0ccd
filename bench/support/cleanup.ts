/*
 * What has to be undone however the bench ends: processes and folders. Ctrl-C and SIGTERM run it too.
 */

type Undo = () => Promise<void> | void;

const undos: Undo[] = [];
let running: Promise<void> | undefined;

/** Registers something to undo at the end; what was registered last is undone first. Returns it, to be called earlier: it runs once. */
export function atTheEnd(undo: Undo): () => Promise<void> {
  let done: Promise<void> | undefined;
  const once = () => {
    done ??= Promise.resolve(undo());
    return done;
  };
  undos.push(once);
  return once;
}

/** Whether the end has begun: what fails from now on fails because of it. */
export const isEnding = () => running !== undefined;

/** Undoes everything. A second call waits for the first. */
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
