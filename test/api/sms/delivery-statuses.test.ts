import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownStatuses, status } from '../../../server/kit/statuses.ts';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone } from '../../support/phones.ts';
import { type Form, forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** What reports say of each delivery status (decisions, "Delivery statuses"), in both forms. */
const service = await startTestService();
const { sql, demo } = service;
const minute = 60_000;
const everyStatus = [...knownStatuses.keys()].map((code) => `delivery.${code}` as const);

interface Row {
  external_id: string;
  status: string | number;
  en_message: string;
  he_message: string;
}

function span() {
  const now = service.appContext.clock.now();
  return {
    from: formatLocal(now - 5 * minute, 'Asia/Jerusalem'),
    to: formatLocal(now + minute, 'Asia/Jerusalem'),
  };
}

async function send(form: Form, destinations: { id: string; phone: string }[]): Promise<number> {
  const phone = destinations.map((one) => ({ $: { id: one.id }, _: one.phone }));
  const answer = await service.call(form, 'sms', {
    source: 'Shop',
    destinations: { phone },
    message: 'Hello',
  });
  assert.equal(answer.status, 0, answer.message);
  return Number(answer.fields.shipment_id);
}

async function report(form: Form, ids: readonly string[]): Promise<Row[]> {
  const answer = await service.call(form, 'dlr', { transactions: { external_id: ids }, ...span() });
  assert.equal(answer.status, 0, answer.message);
  return answer.fields.transactions as Row[];
}

for (const form of forms) {
  test(
    `${form}: every delivery status has its number and its texts in dlr and dlrByDate`,
    covers('B8.dlr', ...everyStatus),
    async () => {
      const sent = [...knownStatuses].map(([code]) => ({ code, id: `${form} ${code}`, phone: newPhone() }));
      const shipment = await send(form, sent);
      await waitFor('all to be final', async () => {
        const [row] = await sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM messages
        WHERE account_id = ${demo.id} AND shipment_id = ${shipment} AND final_at IS NOT NULL`;
        return row!.n === sent.length;
      });
      // No network gives all of them.
      for (const { code, id } of sent) {
        await sql`
        UPDATE messages SET status = ${code}
        WHERE account_id = ${demo.id} AND shipment_id = ${shipment} AND external_id = ${id}`;
      }
      const expected = sent
        .map(({ code, id }) => [id, code, ...knownStatuses.get(code)!])
        .sort(([a], [b]) => String(a).localeCompare(String(b)));
      const asked = await report(
        form,
        sent.map(({ id }) => id),
      );
      const ofTheDay = await service.call(form, 'dlrByDate', {
        transactions: { external_id: 'null' },
        ...span(),
      });
      const listed = (ofTheDay.fields.transactions as Row[]).filter((row) =>
        sent.some(({ id }) => id === row.external_id),
      );
      for (const rows of [asked, listed]) {
        assert.deepEqual(
          rows
            .map((row) => [row.external_id, Number(row.status), row.en_message, row.he_message])
            .sort(([a], [b]) => String(a).localeCompare(String(b))),
          expected,
        );
      }
      if (form === 'json') assert.equal(typeof asked[0]!.status, 'number');
    },
  );

  test(
    `${form}: the endings of the sandbox's numbers give their statuses`,
    covers('delivery.-1', 'delivery.15', 'delivery.101', 'delivery.102', 'delivery.103', 'delivery.108'),
    async () => {
      const endings: [ending: string, code: number, text: string][] = [
        ['0001', status.undelivered, 'Not delivered'],
        ['0002', status.expired, 'Expired'],
        ['0003', status.rejected, 'Rejected'],
        ['0005', status.delivered, 'Delivered'],
        ['0006', 15, 'Kosher number'],
        ['0007', status.delivered, 'Delivered'],
        ['0004', status.sent, 'Sent, no delivery confirmation'],
      ];
      const id = (ending: string) => `${form} ending ${ending}`;
      await send(
        form,
        endings.map(([ending]) => ({ id: id(ending), phone: `052777${ending}` })),
      );
      const rows = await waitFor('all but the silent one to have a final status', async () => {
        const found = await report(
          form,
          endings.map(([ending]) => id(ending)),
        );
        const open = found.filter((row) => Number(row.status) === status.sent);
        return found.length === endings.length && open.length === 1 && found;
      });
      assert.deepEqual(
        rows.map((row) => [row.external_id, Number(row.status), row.en_message]),
        endings.map(([ending, code, text]) => [id(ending), code, text]),
      );
    },
  );
}
