import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { type Body, newClient, SOURCE, startChat, templateId } from './support.ts';

/** A fault of ours: here the database has lost a table. */
const chat = await startChat({ LOG_LEVEL: 'silent' });
const { sql } = chat;

test(
  '3: a fault of the service is HTTP 500 with a request id, and stores nothing',
  covers('A2.3', 'A4.3', 'A5.3'),
  async () => {
    const client = await chat.writingClient();
    const template = { source: SOURCE, destination: newClient(), templateId: templateId('plain') };
    const card = { headerLink: 'https://127.0.0.1:1/a.jpg', button1: 'Yes' };
    const bodies: [path: string, body: Body][] = [
      ['send-template-message', template],
      ['send-buttons', { source: SOURCE, destination: client, header: '1', body: 'Hello', button1: 'Yes' }],
      [
        'send-carousel',
        {
          source: SOURCE,
          destination: client,
          message: 'Two for you',
          buttons: 2,
          ...Object.fromEntries(
            [1, 2].flatMap((x) => Object.entries(card).map(([field, value]) => [`card${x}_${field}`, value])),
          ),
        },
      ],
      [
        'create-campaign-wa',
        {
          source: SOURCE,
          destinations: { phones: [newClient()] },
          campaign_message: templateId('plain'),
          future_campaign: 'instant',
        },
      ],
    ];
    const before = await countEverything(sql);
    await sql`ALTER TABLE ledger RENAME TO mislaid`;
    try {
      for (const [path, body] of bodies) {
        const { http, json, ans, success, message } = await chat.post(path, body);
        assert.equal(http, 500, path);
        const { data } = json as { data?: { success: boolean; sum: number; message: string } };
        if (data) assert.deepEqual([data.success, data.sum], [false, 0]);
        else assert.deepEqual([success, ans.status, ans.reason, ans.unique], [false, 'FAIL', 3, '']);
        const told = data ? data.message : message;
        assert.match(told, /quote request \S+$/);
        assert.ok(!told.includes('ledger'), 'nothing of the inside is told');
      }
    } finally {
      await sql`ALTER TABLE mislaid RENAME TO ledger`;
    }
    assert.deepEqual(await countEverything(sql), before);
    for (const [path, body] of bodies) {
      const { http, json, success } = await chat.post(path, body);
      assert.deepEqual([http, success ?? (json.data as Body).success], [200, true], path);
    }
  },
);
