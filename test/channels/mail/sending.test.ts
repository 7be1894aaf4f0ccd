import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { MailConnector } from '../../../server/protocols/smtp/connector.ts';
import { readRelay } from '../../../server/protocols/smtp/relay.ts';
import { createEventModule } from '../../../server/run/app-context.ts';
import { covers } from '../../conformance/covers.ts';
import { waitFor } from '../../support/wait-for.ts';
import { content, newAddress, startMail } from './campaign-support.ts';
import { verifyDkim } from './dkim.ts';
import { Relay } from './relay.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const folder = mkdtempSync(join(tmpdir(), 'carillon-dkim-'));
after(() => rmSync(folder, { recursive: true }));
const keyFile = join(folder, 'key.pem');
writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));

const relay = new Relay();
await relay.open();
const mail = await startMail({
  MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}?connections=2`,
  MAIL_DKIM_DOMAIN: 'shop.example',
  MAIL_DKIM_SELECTOR: 'news',
  MAIL_DKIM_KEY_FILE: keyFile,
});
const { v1, service, assertSpent } = mail;

const newUsers = (count: number) => Array.from({ length: count }, () => ({ email: newAddress() }));
const takenOf = (addresses: readonly { email: string }[]) => {
  const wanted = new Set(addresses.map(({ email }) => email));
  return relay.taken.filter(({ to }) => wanted.has(to));
};
/** The dispatcher has nothing in memory and on the wire. */
const nothingUnderWay = () =>
  waitFor('nothing is under way', async () => {
    const [row] = await service.sql`SELECT 1 FROM dispatch_batches WHERE lease_until > 0`;
    return !row;
  });

interface Told {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** What was told of the end of a campaign. */
async function endsOf(id: string): Promise<Record<string, unknown>[]> {
  const rows = await service.sql<{ events: string }[]>`SELECT events FROM event_batches`;
  return rows
    .flatMap(({ events }) => JSON.parse(events) as Told[])
    .filter(({ type, data }) => type === 'campaign.finished' && data.campaign_id === Number(id))
    .map(({ data }) => data);
}

await createEventModule(service.appContext, { allowPrivate: true, deliver: false }).endpoints.register({
  accountId: service.demo.id,
  kind: 'webhook',
  url: 'http://127.0.0.1:9/',
});
await waitFor('the service knows that somebody wants events', async () => {
  const id = await mail.send([await mail.list(newUsers(1))]);
  await mail.finished(id);
  return (await endsOf(id)).length > 0;
});

test('Mails are signed (DKIM), the headers of removal with them', covers('mail.DKIM'), async () => {
  const address = newAddress();
  await mail.finished(await mail.send([await mail.list([{ email: address }])]));
  const [arrived] = relay.to(address);
  const signature = verifyDkim(arrived!.raw, publicKey);
  assert.ok(signature?.isValid);
  assert.deepEqual([signature.tags.get('d'), signature.tags.get('s')], ['shop.example', 'news']);
  for (const header of ['from', 'to', 'subject', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post']) {
    assert.ok(signature.signed.includes(header), header);
  }
  const forged = arrived!.raw.replace(/^Subject: .*$/m, 'Subject: Something else');
  assert.equal(verifyDkim(forged, publicKey)?.isValid, false);
});

test(
  'a scheduled campaign is sent at its time to the members of its lists at that time, and its end is reported once',
  covers('mail.schedule'),
  async () => {
    const users = newUsers(2);
    const list = await mail.list(users.slice(0, 1));
    const at = new Date(service.appContext.clock.now() + 3_600_000).toISOString();
    const id = await mail.send([list], { at, name: 'Later' });
    const waiting = await mail.campaign(id);
    assert.deepEqual([waiting.state, waiting.total, waiting.progress.made], ['scheduled', 1, 0]);
    await mail.v1('POST', `mail/lists/${list}/users`, { users: users.slice(1) });
    await service.advance(3_590);
    assert.equal((await mail.campaign(id)).state, 'scheduled');
    assert.deepEqual(takenOf(users), []);
    await service.advance(10);
    const { progress } = await mail.finished(id);
    assert.equal(progress.sent, 2);
    assert.equal(takenOf(users).length, 2);
    assert.deepEqual(await endsOf(id), [
      { campaign_id: Number(id), campaign_name: 'Later', channel: 'mail', total: 2, sent: 2, failed: 0 },
    ]);
  },
);

test(
  'a campaign paused in the middle sends no more mails, and each recipient one mail after it resumes',
  covers('mail.pause, resume'),
  async () => {
    relay.delayMs = 5;
    const users = newUsers(600);
    const id = await mail.send([await mail.list(users)]);
    await waitFor('it is under way', () => takenOf(users).length >= 50);
    assert.equal((await v1('POST', `mail/campaigns/${id}/pause`)).body.state, 'paused');
    assert.equal((await v1('POST', `mail/campaigns/${id}/pause`)).body.state, 'paused');
    await nothingUnderWay();
    const sent = takenOf(users).length;
    assert.ok(sent < 600, `${sent} of 600 were sent`);
    // All that looks for work once a second would find it in this time of the sandbox's clock.
    await service.advance(600);
    const { progress } = await mail.campaign(id);
    assert.deepEqual([takenOf(users).length, progress.waiting], [sent, 600 - sent]);
    assert.equal((await v1('POST', `mail/campaigns/${id}/resume`)).body.state, 'running');
    const done = await mail.finished(id, 150_000);
    assert.equal(done.progress.sent, 600);
    assert.equal(new Set(takenOf(users).map(({ to }) => to)).size, 600);
    assert.equal(takenOf(users).length, 600);
    assert.equal((await v1('POST', `mail/campaigns/${id}/pause`)).body.error?.code, 'not-now');
    relay.delayMs = 0;
  },
);

test('A campaign that is cancelled in the middle costs what was sent', covers('mail.cancel'), async () => {
  relay.delayMs = 5;
  const users = newUsers(600);
  const list = await mail.list(users);
  const before = await service.balance();
  const id = await mail.send([list]);
  await waitFor('it is under way', () => takenOf(users).length >= 50);
  assert.equal((await v1('POST', `mail/campaigns/${id}/cancel`)).status, 200);
  await nothingUnderWay();
  const { state, progress } = await waitFor('what was on the wire is known', async () => {
    const campaign = await mail.campaign(id);
    return campaign.progress.sent === takenOf(users).length && campaign;
  });
  const { sent } = progress;
  assert.ok(sent < 600, `${sent} of 600 were sent`);
  assert.deepEqual([state, progress.cancelled], ['cancelled', 600 - sent]);
  await assertSpent(before, sent / 10);
  relay.delayMs = 0;
});

test('A single mail does not wait behind a campaign', covers('mail.lanes'), async () => {
  relay.delayMs = 10;
  const users = newUsers(600);
  const list = await mail.list(users);
  const id = await mail.send([list]);
  await waitFor('it is under way', () => takenOf(users).length >= 20);
  const tester = newAddress('tester');
  assert.equal(
    (await v1('POST', 'mail/campaigns/test', { ...content, lists: [list], to: [tester] })).status,
    202,
  );
  await waitFor('the single mail is there', () => relay.to(tester).length === 1);
  const behind = 600 - takenOf(users).length;
  relay.delayMs = 0;
  assert.ok(behind > 0, 'the campaign was over before it');
  await mail.finished(id, 150_000);
});

test('a relay with a rate gets no more than that, and is retried', covers('mail.throttle'), async () => {
  const options = {
    name: 'mail/paced',
    log: createLogger('silent'),
    read: async () => ({ kind: 'withheld', status: 0, code: 'test' }) as const,
    refused: { recipient: 0, content: 0 },
    window: 100,
    dkim: undefined,
  };
  const paced = new MailConnector(readRelay(`smtp://127.0.0.1:${relay.port}?rate=1`), options);
  const free = new MailConnector(readRelay(`smtp://127.0.0.1:${relay.port}`), options);
  let asked = 0;
  const listener = {
    receipt: async () => {},
    incoming: async () => {},
    incomingPart: async () => {},
    late() {},
    ready: () => void asked++,
  };
  for (const connector of [paced, free]) connector.start(listener);
  after(() => Promise.all([paced.stop(0), free.stop(0)]));
  assert.equal(free.capacity(), 100);
  const allowed = paced.capacity();
  assert.ok(allowed >= 1, `${allowed} at once`);
  const message = { id: 1, accountId: 1, destination: 'x@example.com', source: '', text: '' } as never;
  for (let sent = 0; sent < allowed; sent++) paced.submit(message, () => {});
  asked = 0;
  assert.equal(paced.capacity(), 0);
  await waitFor('there is room again', () => asked > 0 && paced.capacity() > 0);
});

test(
  'A sender that is not the account’s is refused, and one of its domain is not',
  covers('mail.senders'),
  async () => {
    const strict = await startMail({ VERIFY_SOURCES: 'on' });
    const list = await strict.list([{ email: newAddress() }]);
    const refused = await strict.v1('POST', 'mail/campaigns', { ...content, lists: [list] });
    assert.deepEqual([refused.status, refused.body.error?.code], [400, 'source-not-verified']);
    await strict.service.appContext.sources.approve(strict.service.demo.id, '@shop.example');
    await strict.finished(await strict.send([list]));
    const other = { ...content, from: { name: '', address: 'news@shop.example.net' } };
    assert.equal((await strict.v1('POST', 'mail/campaigns', { ...other, lists: [list] })).status, 400);
  },
);
