import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeTypes } from '../../console/write-types.ts';
import { startTestService } from '../support/service.ts';

const console = join(import.meta.dirname, '../../console');

test('the types of the client are those of the description: npm run console:types', async () => {
  const service = await startTestService();
  const response = await fetch(`${service.url}/docs/openapi.json`);
  const written = readFileSync(join(console, 'src/api/schema.ts'), 'utf8');
  assert.ok(writeTypes((await response.json()) as never) === written, 'run npm run console:types');
});
