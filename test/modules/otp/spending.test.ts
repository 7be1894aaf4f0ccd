import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { cleanBlocks } from '../../../server/modules/fraud-guard/upkeep.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';

/** The cap on what an account's codes cost within a day, and what is deleted when it is over. */
const service = await startTestService({
  settings: { OTP_BRAKE: 'on', OTP_DAY_SPENDING: '5.5', OTP_PER_ACCOUNT_MINUTE: '0' },
});
const { sql, appContext } = service;
const DAY = 86_400;

async function newAccount(username: string, credits: number) {
  const account = await service.addAccount({ username }, credits);
  const options = { token: account.token };
  const send = async (phone: string, more: object = {}) => {
    const content = { user: { username }, phone, source: 'Shop', ...more };
    return (await service.call('json', 'send_otp', content, options)).status;
  };
  return { id: account.id, send };
}

test(
  'concurrent sends do not pass the cap, and the next day begins a day after the first',
  covers('B4.pumping'),
  async () => {
    const account = await newAccount('capped', 100);
    assert.equal(await account.send(newPhone()), 0);
    await service.advance(DAY / 2);
    const statuses = await Promise.all(newPhones(12).map((phone) => account.send(phone)));
    assert.deepEqual(statuses.sort(), [...Array(4).fill(0), ...Array(8).fill(5)]);
    assert.equal(await service.balance(account.id), 95);
    await service.advance(DAY / 2);
    assert.equal(await account.send(newPhone()), 0);
  },
);

test('prices and parts count, and other accounts do not', async () => {
  const account = await newAccount('dear', 100);
  await appContext.prices.set(account.id, 'sms', '9725', '2.5');
  const long = { text: `[code]${'x'.repeat(301)}` };
  assert.equal(await account.send(newPhone(), long), 5, 'two parts would be 5, three are 7.5');
  assert.equal(await account.send(newPhone()), 0);
  assert.equal(await account.send(newPhone()), 0);
  assert.equal(await account.send(newPhone()), 5);
});

test('a send that is not accepted spends nothing', async () => {
  const account = await newAccount('poor', 2);
  for (let i = 0; i < 10; i++) await account.send(newPhone());
  await appContext.wallets.topUp(account.id, 10 * CREDIT, 'test');
  const statuses: number[] = [];
  for (const phone of newPhones(4)) statuses.push(await account.send(phone));
  assert.deepEqual(statuses, [0, 0, 0, 5]);
});

test('reports of what was stopped are deleted when they are old', async () => {
  const account = await newAccount('old', 100);
  for (const phone of newPhones(6)) await account.send(phone);
  const rows = async () => (await sql`SELECT 1 FROM otp_blocks WHERE account_id = ${account.id}`).length;
  const at = (days: number) => appContext.clock.now() + days * DAY * 1_000;
  await cleanBlocks(sql, at(89), 90);
  assert.equal(await rows(), 1);
  await cleanBlocks(sql, at(91), 90);
  assert.equal(await rows(), 0);
});
