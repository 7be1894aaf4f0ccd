import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { startKannel } from '../../support/kannel.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startSmppService } from './support.ts';

/* Kannel as a client, with its defaults. */

const service = await startSmppService();
// Kannel sends the first eight characters of a password.
const password = 'kT3c0y2v';
const { system_id: systemId } = await service.newClient({ password });

/** Addresses of the reports of Kannel. */
const reports: URL[] = [];
const receiver = createServer((request, response) => {
  reports.push(new URL(request.url!, 'http://localhost'));
  response.end();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => receiver.close());
const reportUrl = (id: string) =>
  `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${id}?type=%d&text=%A`;

const kannel = await startKannel({ smppPort: service.port, systemId, password });

const hebrew = 'שלום מקנל, '.repeat(15);
for (const [name, text, parameters] of [
  ['a text', 'Hello from Kannel @', {}],
  ['a long text', `${'Long text, '.repeat(30)}end.`, {}],
  ['a long Hebrew text', hebrew, { coding: '2', charset: 'UTF-8' }],
] as const) {
  test(`${name} is delivered and reported`, async () => {
    const phone = newPhone();
    const id = `report-${reports.length}`;
    const answer = await kannel.send({
      to: phone,
      text,
      'dlr-mask': '31',
      'dlr-url': reportUrl(id),
      ...parameters,
    });
    assert.equal(answer, '0: Accepted for delivery');
    const texts = await waitFor('the text', async () => {
      const all = await service.phone(phone);
      return all.length > 0 && all;
    });
    assert.deepEqual(
      texts.map(({ text: arrived }) => arrived),
      [text],
    );
    // 1 is delivered, 8 accepted by the SMSC (Kannel's user guide, "Delivery reports").
    const types = () =>
      reports
        .filter(({ pathname }) => pathname === `/${id}`)
        .map(({ searchParams }) => searchParams.get('type'));
    await waitFor('the report of the delivery', () => types().includes('1'));
    assert.ok(
      types().every((type) => type === '1' || type === '8'),
      types().join(),
    );
  });
}

test('parameters with DLT ids, which Kannel makes of meta-data, are the ids of the message', async () => {
  const phone = newPhone();
  const metaData = '?smpp?PE_ID=1101123456789012345&TEMPLATE_ID=1107987654321098765';
  const answer = await kannel.send({ to: phone, text: 'Your code', 'meta-data': metaData });
  assert.equal(answer, '0: Accepted for delivery');
  const dlt = await waitFor('the message', async () => {
    const [shipment] = await service.sql<{ options: { dlt?: object } | null }[]>`
      SELECT s.carrier_options AS options FROM messages m JOIN shipments s ON s.id = m.shipment_id
      WHERE m.recipient = ${stored(phone)}`;
    return shipment?.options?.dlt;
  });
  assert.deepEqual(dlt, { entity: '1101123456789012345', template: '1107987654321098765' });
});
