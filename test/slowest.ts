import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const SHOWN = 10;

/** A reporter of the test runner: after all tests, the files that took longest, in seconds. */
export default async function* slowest(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { file: string; ms: number }[] = [];
  for await (const { type, data } of source) {
    if (type === 'test:summary' && data.file !== undefined)
      files.push({ file: data.file, ms: data.duration_ms });
  }
  files.sort((a, b) => b.ms - a.ms);
  yield '\nThe slowest files:\n';
  for (const { file, ms } of files.slice(0, SHOWN))
    yield `${(ms / 1_000).toFixed(1).padStart(7)} s  ${relative('test', file)}\n`;
}
