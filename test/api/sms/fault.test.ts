import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone } from '../../support/phones.ts';
import { type Content, forms, startTestService } from '../../support/service.ts';

/** A fault of ours (decisions, "HTTP status"): here the database has lost a table. */
const service = await startTestService({ settings: { LOG_LEVEL: 'silent' } });
const { sql } = service;

const sms = (): Content => ({ source: 'Shop', destinations: { phone: newPhone() }, message: 'Hello' });

for (const form of forms) {
  test(
    `${form}: a fault of the service is HTTP 500 with status 999 and a request id, and stores nothing`,
    covers('requests.HTTP 500', 'status.999'),
    async () => {
      const before = await countEverything(sql);
      await sql`ALTER TABLE blacklist RENAME TO mislaid`;
      try {
        for (const path of ['/api', '/api/test']) {
          const answer = await service.call(form, 'sms', sms(), { path });
          assert.deepEqual([answer.http, answer.status, answer.form], [500, 999, form], answer.message);
          assert.deepEqual(Object.keys(answer.fields), ['status', 'message']);
          assert.match(answer.message, /quote request \S+$/);
          assert.ok(!answer.message.includes('blacklist'), 'nothing of the inside is told');
          if (form === 'xml') assert.equal(answer.root, 'sms');
        }
      } finally {
        await sql`ALTER TABLE mislaid RENAME TO blacklist`;
      }
      assert.deepEqual(await countEverything(sql), before);
      const answer = await service.call(form, 'sms', sms());
      assert.deepEqual([answer.http, answer.status], [200, 0]);
    },
  );
}
