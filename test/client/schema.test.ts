import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeTypes } from '../../client/write-types.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();

test('the types of the client library are those of the description: npm run client:types', async () => {
  const response = await fetch(`${service.url}/docs/openapi.json`);
  const written = readFileSync(join(import.meta.dirname, '../../client/src/schema.ts'), 'utf8');
  assert.ok(writeTypes((await response.json()) as never) === written, 'run npm run client:types');
});
