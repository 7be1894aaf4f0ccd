import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeOperations, writeTypes } from '../../console/write-types.ts';
import { startTestService } from '../support/service.ts';

const root = join(import.meta.dirname, '../..');
const service = await startTestService();
const response = await fetch(`${service.url}/docs/openapi.json`);
const description = (await response.json()) as never;

test('the types of the console are those of the description: npm run console:types', () => {
  const written = readFileSync(join(root, 'console/src/api/schema.ts'), 'utf8');
  assert.ok(writeTypes(description) === written, 'run npm run console:types');
});

test('the types of the client library are those of the description: npm run console:types', () => {
  const written = readFileSync(join(root, 'client/src/schema.ts'), 'utf8');
  assert.ok(writeOperations(description) === written, 'run npm run console:types');
});
