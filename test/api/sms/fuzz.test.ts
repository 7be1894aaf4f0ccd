import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FAULT } from '../../../server/api/sms/status-codes.ts';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { type Form, forms, startTestService, write } from '../../support/service.ts';
import { documented, good, succeeded } from './good-requests.ts';

/** Requests broken at random: never a fault, and something is stored only when the answer says so. */
const service = await startTestService();
const { sql } = service;

/** Pieces that bodies are broken with. */
const splinters = [
  '',
  '<',
  '>',
  '&',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '\\',
  '\0',
  '\ufeff',
  '\\u0000',
  '\\ud800',
  '&#0;',
  ']]>',
  '<![CDATA[',
  '<!--',
  '<?',
  '<!DOCTYPE x>',
  'null',
  'true',
  '-1',
  '1e999',
  '99999999999999999999',
  'sms',
  'user',
  'phone',
  '$',
  '_',
  '__proto__',
  'ש',
  '😀',
  '\u2028',
  '0501234567',
  ' ',
  '\n',
];

interface Mutation {
  readonly at: number;
  readonly remove: number;
  readonly insert: Uint8Array;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 })),
  insert: fc.oneof(
    fc.constantFrom(...splinters).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 6 }),
  ),
});

test(
  'fuzz: broken requests never cause a fault, and store something only if they report success',
  covers('requests.nothing stored', 'status.998'),
  async () => {
    const roots = Object.keys(good);
    let before = await countEverything(sql);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Form>(...forms),
        fc.constantFrom(...roots),
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        async (form, root, mutations) => {
          let body: Buffer = Buffer.from(write(form, root, good[root]!()));
          for (const { at, remove, insert } of mutations) {
            const cut = Math.floor(at * body.length);
            body = Buffer.concat([body.subarray(0, cut), insert, body.subarray(cut + remove)]);
          }
          const answer = await service.post(body);
          assert.equal(answer.http, 200);
          assert.notEqual(answer.status, FAULT);
          assert.ok(documented.has(answer.status), `status ${answer.status} is in no table`);
          const after = await countEverything(sql);
          if (!succeeded.has(answer.status)) assert.deepEqual(after, before);
          before = after;
        },
      ),
      { numRuns: 500 },
    );
  },
);

test('fuzz: values of any kind in any field of a dry run', covers('requests.nothing stored'), async () => {
  const before = await countEverything(sql);
  const name = fc.constantFrom(
    '_',
    '$',
    'id',
    'phone',
    'cl_id',
    'sms',
    'source',
    'message',
    'external_id',
    'link',
    'x',
  );
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string()),
    fc.object({ key: name, maxDepth: 3, values: [fc.string(), fc.integer(), fc.constant(null)] }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<Form>(...forms),
      fc.constantFrom(...Object.keys(good)),
      fc.dictionary(
        fc.constantFrom(
          'source',
          'destinations',
          'message',
          'messages',
          'tag',
          'timing',
          'temp_bl',
          'from',
          'to',
          'phones',
          'reason',
          'transactions',
          'campaign_id',
          'campaign_name',
          'username',
          'action',
          'includes_international',
          'links',
          'cl_id',
          'add_dynamic',
        ),
        value,
        { maxKeys: 3 },
      ),
      async (form, root, fields) => {
        const answer = await service.call(form, root, { ...good[root]!(), ...fields }, { path: '/api/test' });
        assert.equal(answer.http, 200);
        assert.ok(documented.has(answer.status), `status ${answer.status}: ${answer.message}`);
      },
    ),
    { numRuns: 400 },
  );
  assert.deepEqual(await countEverything(sql), before);
});
