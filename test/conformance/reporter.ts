import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** The outcome of a test that shows rows, as a line of JSON. */
export interface Outcome {
  /** Below test/, without `.test.ts`. */
  readonly file: string;
  /** Its own name, after those of the suites around it. */
  readonly names: readonly string[];
  /** The rows, in small letters. */
  readonly rows: readonly string[];
  readonly passed: boolean;
}

interface Open {
  readonly name: string;
  readonly tags: readonly string[];
}

/** A reporter of `node --test`: a line of JSON for each test or suite that says what it covers (covers.ts). */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const open = new Map<string, Open[]>();
  for await (const { type, data } of events) {
    if (type !== 'test:start' && type !== 'test:pass' && type !== 'test:fail') continue;
    const path = data.file ?? '';
    // A suite is reported after what is in it, and started before.
    const around = (open.get(path) ?? []).slice(0, data.nesting);
    open.set(path, [...around, data]);
    // What is in a suite has its tags, too.
    const rows = data.tags.filter((tag) => !around.some(({ tags }) => tags.includes(tag)));
    if (type === 'test:start' || rows.length === 0) continue;
    const file = relative('test', path)
      .replaceAll('\\', '/')
      .replace(/\.test\.ts$/, '');
    const names = [...around.map(({ name }) => name), data.name];
    const passed = type === 'test:pass' && data.skip === undefined && data.todo === undefined;
    yield `${JSON.stringify({ file, names, rows, passed } satisfies Outcome)}\n`;
  }
}
