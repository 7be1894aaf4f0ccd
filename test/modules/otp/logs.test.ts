import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { Installation } from '../../support/process.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

test('at the finest level the log has neither codes nor whole numbers', covers('B4.answer'), async () => {
  const installation = new Installation({
    SANDBOX: 'on',
    LOG_LEVEL: 'trace',
    CARILLON_DEMO_TOKEN: DEMO_TOKEN,
  });
  const program = await installation.start();
  const { id, username, token } = await installation.account(program.url, 'shop', 100);
  const sql = await installation.sql();
  const call = async (root: string, content: object) => {
    const response = await fetch(`${program.url}/api`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ [root]: { user: { username }, ...content } }),
    });
    return ((await response.json()) as { status: number }).status;
  };
  const phone = '0541234567';
  const codes: string[] = [];
  for (let sent = 0; sent < 5; sent++) {
    assert.equal(await call('send_otp', { phone, source: 'Shop' }), 0);
    const arrived = await waitFor('the code to arrive', async () => {
      const at = await fetch(`${program.url}/v1/sandbox/phones/${phone}`, {
        headers: { authorization: `Bearer ${DEMO_TOKEN}` },
      });
      const { sms } = (await at.json()) as { sms: { text: string }[] };
      return sms.length > sent && sms;
    });
    codes.push(/\b\d{6}\b/.exec(arrived.at(-1)!.text)![0]);
  }
  assert.equal(await call('send_otp', { phone, source: 'Shop' }), 5);
  assert.equal(await call('validate_otp', { phone, code: codes[0] }), codes[0] === codes[4] ? 0 : 12);
  assert.equal(await call('validate_otp', { phone, code: codes[4] }), codes[0] === codes[4] ? 12 : 0);
  await waitFor('all are delivered', async () => {
    const rows = await sql`SELECT 1 FROM messages WHERE account_id = ${id} AND status = -1`;
    return rows.length === 0;
  });
  await program.stop();
  const output = program.output();
  assert.match(output, /fraud guard stopped sends/);
  for (const secret of [...codes, '541234567']) assert.ok(!output.includes(secret), 'it stands in the log');
});
