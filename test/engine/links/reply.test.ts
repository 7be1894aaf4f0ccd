import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

const service = await startTestService();
const { sql, demo } = service;

async function blacklistOf(accountId: number): Promise<string[]> {
  const rows = await sql<{ phone: string }[]>`
    SELECT phone FROM blacklist WHERE account_id = ${accountId} ORDER BY phone`;
  return rows.map(({ phone }) => phone);
}

async function received(phone: string, count = 1): Promise<void> {
  await waitFor(
    'the reply is stored',
    async () => (await sql`SELECT 1 FROM incoming WHERE source = ${stored(phone)}`).length === count,
  );
}

for (const word of ['הסר', 'STOP', 'إلغاء', 'Стоп.']) {
  test(`a reply of "${word}" removes the number`, async () => {
    const phone = newPhone();
    await service.sendFromPhone(phone, '0501111111', word);
    await received(phone);
    assert.ok((await blacklistOf(demo.id)).includes(stored(phone)));
    const answer = await service.call('json', 'sms', {
      source: 'Shop',
      destinations: { phone },
      message: 'again',
    });
    assert.equal(answer.status, 8);
  });
}

test('a reply that only has the word in it removes nobody', async () => {
  const phone = newPhone();
  await service.sendFromPhone(phone, '0501111111', "please don't stop");
  await received(phone);
  assert.ok(!(await blacklistOf(demo.id)).includes(stored(phone)));
});

test(
  'the removal belongs to the account that owns the number, other replies are kept, and an event reports it',
  covers('texts.removal.reply'),
  async () => {
    const shop = await service.addAccount({ username: 'shop' });
    await service.appContext.sources.approve(shop.id, '0502222222', { incoming: true });
    const pushes: string[] = [];
    const receiver = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => pushes.push(body));
      request.on('end', () => response.end());
    }).listen(0, '127.0.0.1');
    after(() => receiver.close());
    if (!receiver.listening) await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const { createEventModule } = await import('../../../server/run/app-context.ts');
    const room = createEventModule(service.appContext, { allowPrivate: true, deliver: false });
    await room.endpoints.register({
      accountId: shop.id,
      kind: 'blacklist',
      url: `http://127.0.0.1:${port}/blacklist`,
    });

    const phone = newPhone();
    await waitFor('the event of a removal is pushed', async () => {
      // The service reads its endpoints anew every second; until then nobody wants the event.
      await sql`DELETE FROM blacklist WHERE account_id = ${shop.id}`;
      const before = await sql`SELECT 1 FROM incoming WHERE source = ${stored(phone)}`;
      await service.sendFromPhone(phone, '0502222222', 'הסר');
      await received(phone, before.length + 1);
      return pushes.length > 0;
    });
    assert.equal(new URLSearchParams(pushes[0]).get('phone'), phone);
    assert.deepEqual(await blacklistOf(shop.id), [stored(phone)]);
    assert.ok(!(await blacklistOf(demo.id)).includes(stored(phone)));

    // Twice is as once, and is no event.
    const count = (await sql`SELECT 1 FROM incoming WHERE source = ${stored(phone)}`).length;
    await service.sendFromPhone(phone, '0502222222', 'stop');
    await received(phone, count + 1);
    assert.deepEqual(await blacklistOf(shop.id), [stored(phone)]);
  },
);
