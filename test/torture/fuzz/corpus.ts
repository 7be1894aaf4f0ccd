import { readdirSync, readFileSync } from 'node:fs';
import type { Input } from './target.ts';

/** An input that once failed. */
export interface CorpusEntry {
  /** Fault of the result. */
  readonly why: string;
  readonly target: string;
  readonly input: Input;
}

const folder = new URL('corpus/', import.meta.url);

/** Reads every input that ever failed, from `corpus/<target>.json`. */
export function readCorpus(): readonly CorpusEntry[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const entries = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Omit<
        CorpusEntry,
        'target'
      >[];
      return entries.map((entry) => ({ ...entry, target: file.replace(/\.json$/, '') }));
    });
}
