import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webhookBody } from '../../../server/engine/events/payloads.ts';
import type { Event } from '../../../server/engine/events/types.ts';
import { covers } from '../../conformance/covers.ts';
import { statusEvent } from './support.ts';

test('ids of every event are texts, and null stays null', covers('amendments.ids'), () => {
  const at = Date.parse('2026-07-01T21:06:07.000Z');
  const chat = { from: '972501234567', to: '972550000001', type: 'text', body: 'x' };
  const client = { about_id: null, user_id: null, name: '', content: null };
  const events: [Event, object][] = [
    [statusEvent(1, at), { message_id: '7000000000001', shipment_id: '4200000000000' }],
    [
      { type: 'chat.message', at, data: { message_id: 7, ...chat, ...client, reply_to: null } },
      { message_id: '7', reply_to: null },
    ],
    [
      { type: 'chat.message', at, data: { message_id: 8, ...chat, ...client, reply_to: 7 } },
      { message_id: '8', reply_to: '7' },
    ],
    [
      { type: 'mail.bounced', at, data: { user_id: 1, email: 'a@example.com', campaign_id: 2, reason: 'x' } },
      { user_id: '1', campaign_id: '2' },
    ],
    [
      {
        type: 'mail.unsubscribed',
        at,
        data: { user_id: 1, email: 'a@example.com', campaign_id: null, cause: 'page' },
      },
      { user_id: '1', campaign_id: null },
    ],
  ];
  for (const [event, ids] of events) {
    const { data } = JSON.parse(webhookBody(event)) as { data: Record<string, unknown> };
    const shown = Object.fromEntries(Object.keys(ids).map((name) => [name, data[name]]));
    assert.deepEqual(shown, ids, event.type);
    assert.ok(
      !Object.entries(data).some(([name, value]) => /_id$|_to$/.test(name) && typeof value === 'number'),
    );
  }
});
