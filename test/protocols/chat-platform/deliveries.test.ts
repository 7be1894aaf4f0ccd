import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SandboxChatPlatformOptions } from '../../../server/sandbox/chat-platform/options.ts';
import { covers } from '../../conformance/covers.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  accepted,
  BUSINESS,
  CLIENT,
  number,
  openWindow,
  startPlatform,
  templateMessage,
  textMessage,
  VERIFY_TOKEN,
} from './support.ts';

const ending = (digits: string) => `97250123${digits}`;

test('sent, delivered, read: with our reference, the number and a time', async (t) => {
  const { client, receiver, clock } = await startPlatform(t);
  const message = templateMessage('plain');
  const id = await accepted(client, message);
  await waitFor('three statuses', () => receiver.statuses(id).length === 3);
  const statuses = receiver.statuses(id);
  assert.deepEqual(
    statuses.map(({ status }) => status),
    ['sent', 'delivered', 'read'],
  );
  for (const status of statuses) {
    assert.ok(Math.abs(status.at - clock.now()) < 60_000);
    assert.deepEqual(
      { ...status, status: '', at: 0 },
      {
        kind: 'status',
        phoneNumberId: number.phoneNumberId,
        businessNumber: BUSINESS,
        platformId: id,
        status: '',
        at: 0,
        recipient: CLIENT,
        reference: message.reference,
        error: null,
      },
    );
  }
});

test('the ending of a number determines the outcome of its messages', async (t) => {
  const { client, receiver, platform } = await startPlatform(t);
  const failures = { '0001': 131026, '0002': 131047, '0007': 131049, '0009': 131053 };
  for (const [digits, code] of Object.entries(failures)) {
    const id = await accepted(client, templateMessage('plain', ending(digits)));
    await waitFor(`the failure of ${digits}`, () => receiver.statuses(id).length === 1);
    const { status, error } = receiver.statuses(id)[0]!;
    assert.deepEqual([status, error?.code], ['failed', code]);
    assert.deepEqual(platform.phones.list(ending(digits)), []);
  }
  for (const digits of ['0003', '0006']) {
    const outcome = await client.sendMessage(number, templateMessage('plain', ending(digits)));
    assert.ok(outcome.outcome === 'refused');
    assert.deepEqual([outcome.code, outcome.reason], [131026, 'no-such-number']);
  }
  const throttled = await client.sendMessage(number, templateMessage('plain', ending('0005')));
  assert.ok(throttled.outcome === 'again');
  assert.deepEqual([throttled.code, throttled.throttled, throttled.reason], [130429, true, 'volume']);
  await accepted(client, templateMessage('plain', ending('0005')));
  const silent = await accepted(client, templateMessage('plain', ending('0004')));
  await waitFor('the message on the phone', () => platform.phones.list(ending('0004')).length === 1);
  await waitFor('nothing on its way', () => platform.idle);
  assert.deepEqual(receiver.statuses(silent), []);
});

test(
  'the answer is cut off: the outcome is unknown, and the status shows by our reference that it was accepted',
  covers('chatPlatform.cut off'),
  async (t) => {
    const { client, receiver } = await startPlatform(t);
    const message = templateMessage('plain', ending('0008'));
    assert.deepEqual(await client.sendMessage(number, message), { outcome: 'unknown' });
    await waitFor('a status', () =>
      receiver.statuses().some(({ reference }) => reference === message.reference),
    );
  },
);

test('a free-form message outside the window fails, within it arrives', async (t) => {
  const under = await startPlatform(t);
  const { client, receiver, clock } = under;
  const failed = async () => {
    const id = await accepted(client, textMessage('free'));
    await waitFor('a status', () => receiver.statuses(id).length > 0);
    return receiver.statuses(id)[0]!.error?.reason ?? null;
  };
  assert.equal(await failed(), 'window-closed');
  await openWindow(under);
  assert.equal(await failed(), null);
  clock.advance(86_400_000);
  assert.equal(await failed(), 'window-closed');
});

test(
  'limits: messages a second of a number, and one recipient after a burst',
  covers('chatPlatform.throttling'),
  async (t) => {
    const { client, platform, clock } = await startPlatform(t, { messagesPerSecond: 3 });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        client.sendMessage(number, templateMessage('plain', ending(`11${index}0`))),
      ),
    );
    // They may have come in two different seconds.
    const taken = outcomes.filter(({ outcome }) => outcome === 'accepted').length;
    assert.ok(taken >= 3 && taken <= 6, `${taken} were taken`);
    assert.ok(
      outcomes.every((one) => one.outcome === 'accepted' || (one.outcome === 'again' && one.throttled)),
    );
    platform.change({ messagesPerSecond: 0, pairPauseMs: 6_000_000, pairBurst: 2 });
    await accepted(client, templateMessage('plain'));
    await accepted(client, templateMessage('plain'));
    const third = await client.sendMessage(number, templateMessage('plain'));
    assert.ok(third.outcome === 'again');
    assert.deepEqual([third.reason, third.throttled, third.afterMs], ['rate', false, 6_000]);
    await accepted(client, templateMessage('plain', ending('9999')));
    clock.advance(6_000_000);
    await accepted(client, templateMessage('plain'));
  },
);

test(
  'webhooks that are not taken come again, and none is lost',
  covers('chatPlatform.stored before 200'),
  async (t) => {
    const { client, receiver, platform } = await startPlatform(t, { webhookBatch: 3 });
    receiver.refusals = 10;
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => accepted(client, templateMessage('plain'))),
    );
    await waitFor('all statuses', () => receiver.statuses().length === 60);
    for (const id of ids) assert.equal(receiver.statuses(id).length, 3);
    await waitFor('nothing on its way', () => platform.idle);
    assert.deepEqual([platform.notifier.counts.failed, platform.notifier.counts.dropped], [10, 0]);
  },
);

const orders: [string, Partial<SandboxChatPlatformOptions>, string[]][] = [
  ['twice', { webhookCopies: 2 }, ['delivered', 'delivered', 'read', 'read', 'sent', 'sent']],
  ['the last first', { reversedStatuses: true }, ['read', 'delivered', 'sent']],
  ['without read receipts', { reads: false }, ['sent', 'delivered']],
];
for (const [name, options, expected] of orders) {
  test(`statuses ${name}`, async (t: TestContext) => {
    const { client, receiver, platform } = await startPlatform(t, options);
    const id = await accepted(client, templateMessage('plain'));
    await waitFor('all statuses', () => receiver.statuses(id).length >= expected.length);
    await waitFor('nothing on its way', () => platform.idle);
    const words = receiver.statuses(id).map(({ status }) => status);
    assert.deepEqual(name === 'twice' ? words.sort() : words, expected);
  });
}

test('webhooks wait until there is a callback address, which has to answer the challenge', async (t) => {
  const { client, receiver, platform, callbackUrl } = await startPlatform(t, { callbackUrl: undefined });
  const id = await accepted(client, templateMessage('plain'));
  await waitFor('the message on the phone', () => platform.phones.count === 1);
  await assert.rejects(platform.subscribe(callbackUrl, 'wrong'), /403/);
  await platform.subscribe(callbackUrl, VERIFY_TOKEN);
  await waitFor('three statuses', () => receiver.statuses(id).length === 3);
});

test('a platform that is down takes messages when it is up again', async (t) => {
  const { client, platform, port, receiver } = await startPlatform(t);
  await accepted(client, templateMessage('plain'));
  await platform.stopListening();
  const down = await client.sendMessage(number, templateMessage('plain'));
  // A connection that had just been cut may have been tried; a new one is not there.
  assert.ok(down.outcome === 'again' || down.outcome === 'unknown');
  assert.equal((await client.sendMessage(number, templateMessage('plain'))).outcome, 'again');
  await platform.listen(port);
  const id = await accepted(client, templateMessage('plain'));
  await waitFor('three statuses', () => receiver.statuses(id).length === 3);
});

test('quality of a template', async (t) => {
  const { platform, receiver } = await startPlatform(t);
  platform.reportQuality(number.token, '100000000001', 'GREEN', 'RED');
  await waitFor('the quality', () => receiver.facts.some(({ kind }) => kind === 'template-quality'));
  const fact = receiver.facts.find((each) => each.kind === 'template-quality');
  assert.deepEqual([fact?.name, fact?.quality, fact?.templateId], ['plain', 'RED', '100000000001']);
});
