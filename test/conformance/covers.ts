import type { RowKey } from './chapters.ts';

/**
 * Options of a test, or of a suite, that shows these rows of test/conformance/rows:
 * `test('a campaign is cancelled once', covers('B11.again'), async () => …)`. They are tags of `node:test`, which reports them
 * in small letters.
 */
export const covers = (...rows: readonly RowKey[]) => ({ tags: rows });
