import { useState } from 'react';

/** Runs work that a person starts: `run` starts it and never rejects, `error` is its last error. */
export function useTask<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  async function run(...args: Args): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await work(...args);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }
  return { busy, error, setError, run };
}
