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

/** A reporter of `node --test`: a line of JSON for each test that says what it covers (covers.ts). */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const open = new Map<string, string[]>();
  for await (const { type, data } of events) {
    if (type !== 'test:start' && type !== 'test:pass' && type !== 'test:fail') continue;
    const path = data.file ?? '';
    const names = [...(open.get(path) ?? []).slice(0, data.nesting), data.name];
    // A suite is reported after what is in it, and started before.
    open.set(path, names);
    if (type === 'test:start' || data.tags.length === 0) continue;
    const file = relative('test', path)
      .replaceAll('\\', '/')
      .replace(/\.test\.ts$/, '');
    const passed = type === 'test:pass' && data.skip === undefined && data.todo === undefined;
    yield `${JSON.stringify({ file, names, rows: data.tags, passed } satisfies Outcome)}\n`;
  }
}
