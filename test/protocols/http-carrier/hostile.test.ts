import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compileAnswer } from '../../../server/protocols/http-carrier/answer.ts';
import { httpDescription } from '../../../server/protocols/http-carrier/description.ts';
import { CarrierDocument } from '../../../server/protocols/http-carrier/document.ts';
import { readyDescription, readyNames } from '../../../server/protocols/http-carrier/providers.ts';
import { compileNotices } from '../../../server/protocols/http-carrier/reports.ts';
import { compileRequest } from '../../../server/protocols/http-carrier/request.ts';
import { isSigned } from '../../../server/protocols/http-carrier/signatures.ts';
import { valuesOf } from '../../../server/protocols/http-carrier/values.ts';
import { messageOf } from './support.ts';

/* Texts of anybody, in messages and from providers. */

const now = 1_800_000_000_000;
const secrets = new Proxy<Record<string, string>>({}, { get: () => 'secret' });
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
const anyBody = fc.oneof(
  anyText,
  fc.json({ maxDepth: 5 }),
  anyText.map((text) => `<a b="1"><c>${text}</c></a>`),
  fc.dictionary(anyText, anyText).map((fields) => new URLSearchParams(fields).toString()),
);
const anyType = fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', '');

for (const name of readyNames) {
  describe(name, () => {
    const description = httpDescription.parse(readyDescription(name));

    test('no text of a message changes the request', () => {
      const write = compileRequest(description, secrets);
      const requestFor = (payload: string) =>
        write([
          valuesOf(messageOf({ payload, validUntil: now + 60_000 }), {
            secrets,
            origin: 'https://me.example',
            now,
          }),
        ]);
      const plain = requestFor('Hello');
      const shapeOf = (body: string | null, type: string) =>
        type === 'application/json'
          ? JSON.stringify(JSON.parse(body!), (_key, value) => (typeof value === 'string' ? '' : value))
          : [...new URLSearchParams(body!).keys()].join();
      const type = plain.headers.at(-1)!;
      fc.assert(
        fc.property(
          anyText.filter((text) => text !== ''),
          (payload) => {
            const request = requestFor(payload);
            assert.deepEqual({ ...request, body: null }, { ...plain, body: null });
            assert.equal(shapeOf(request.body, type), shapeOf(plain.body, type));
          },
        ),
      );
    });

    test('every answer has an outcome', () => {
      const read = compileAnswer(description);
      fc.assert(
        fc.property(fc.integer({ min: 100, max: 599 }), anyType, anyBody, (status, type, body) => {
          const verdict = read({ status, headers: { 'content-type': type }, body }, '7001');
          assert.ok(verdict.kind !== 'accepted' || verdict.ids.length > 0);
        }),
      );
    });

    test('every request is read', async () => {
      const read = compileNotices(description);
      fc.assert(
        fc.property(anyType, anyBody, fc.constantFrom('reports', 'incoming'), (type, body, kind) => {
          read(new CarrierDocument({ headers: { 'content-type': type }, body }), kind);
        }),
      );
      const { signature } = description;
      if (!signature || signature.scheme === 'secret-path') return;
      await fc.assert(
        fc.asyncProperty(anyBody, fc.dictionary(fc.string(), fc.string()), async (body, headers) => {
          const request = {
            method: 'POST',
            url: 'https://me.example/x',
            headers,
            body: Buffer.from(body),
            now,
          };
          assert.equal(await isSigned(request, signature, secrets), false);
        }),
        { numRuns: 30 },
      );
    });
  });
}
