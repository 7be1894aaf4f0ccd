import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** What support/file-group.ts calls the end of a file. */
const ofFile = /(?:^| )(test\/\S+\.test\.ts)\b/;

/**
 * A reporter of `node --test`: a line for each failed test, with the path of its file from the folder of the project. The line of
 * what belongs to no file of tests, like a process that ended, is not the path of one.
 */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    const path = relative('.', data.file ?? '').replaceAll('\\', '/');
    yield `${path.endsWith('.test.ts') ? path : (ofFile.exec(data.name)?.[1] ?? data.name)}\n`;
  }
}
