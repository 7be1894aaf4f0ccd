import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CarrierDocument } from '../../../server/protocols/http-carrier/document.ts';
import { readyNames } from '../../../server/protocols/http-carrier/providers.ts';
import { compileNotices } from '../../../server/protocols/http-carrier/reports.ts';
import { signatureOf } from '../../../server/protocols/http-carrier/settings.ts';
import { isSigned } from '../../../server/protocols/http-carrier/signatures.ts';
import { CALL, type ProviderCase, type ProviderRequest, REPORTS } from './providers/case.ts';
import { providerCases } from './providers/index.ts';
import { jsonOf, type Reply, readyAt, settingsOf, startConnector, startProvider } from './support.ts';

/** Each ready description, against a server that follows the reference of its provider. */

const now = Date.now();

const settingsAt = (name: string, provider: ProviderCase, origin: string) => {
  const { secrets } = provider;
  // The host of the account is part of the address that the test replaces.
  const { host: _host, region: _region, ...rest } = secrets;
  const { signature, callerId } = provider;
  return settingsOf({
    ...{ description: readyAt(name, origin), secrets: rest },
    ...(signature && { signature }),
    ...(callerId !== undefined && { callerId }),
  });
};

function documentOf({ type, body }: ProviderRequest) {
  return new CarrierDocument({ headers: type === undefined ? {} : { 'content-type': type }, body });
}

async function outcomeOf(settings: ReturnType<typeof settingsAt>, t: Parameters<typeof startConnector>[0]) {
  const { send, connector } = startConnector(t, settings);
  const isCall = settings.description.channel === 'voice';
  const outcome = await send(isCall ? { payload: CALL as unknown as string } : {});
  switch (outcome.kind) {
    case 'accepted':
      return outcome.carrierIds;
    case 'again':
      return connector.up ? 'throttled' : 'down';
    case 'refused':
    case 'retry':
      return outcome.code;
    default:
      return outcome.kind;
  }
}

test('every ready description has a server', () => {
  assert.deepEqual(Object.keys(providerCases).sort(), [...readyNames].sort());
});

test('every description with batches has a case for them', () => {
  for (const [name, { batch }] of Object.entries(providerCases))
    assert.equal(readyAt(name, 'https://x.example').send.batch !== undefined, batch !== undefined, name);
});

test('an answer that does not come in time leaves the outcome unknown', async (t) => {
  const outcomes = Object.entries(providerCases).map(async ([name, provider]) => {
    const server = await startProvider(t, () => 'silent');
    const settings = { ...settingsAt(name, provider, server.origin), timeoutMs: 1_000 };
    return [name, await outcomeOf(settings, t), server.received.length];
  });
  assert.deepEqual(
    await Promise.all(outcomes),
    Object.keys(providerCases).map((name) => [name, 'unknown', 1]),
  );
});

for (const [name, provider] of Object.entries(providerCases)) {
  describe(name, () => {
    test('accepts the request', async (t) => {
      const server = await startProvider(t, () => provider.answers[0]![0]);
      assert.deepEqual(
        await outcomeOf(settingsAt(name, provider, server.origin), t),
        provider.answers[0]![1],
      );
      assert.deepEqual(provider.reads(server.received[0]!), provider.request);
      assert.equal(server.received.length, 1);
    });

    test('throttled, refused and unauthorized answers have different outcomes', async (t) => {
      for (const [reply, expected] of provider.answers.slice(1)) {
        const server = await startProvider(t, () => reply);
        const outcome = await outcomeOf(settingsAt(name, provider, server.origin), t);
        assert.deepEqual(outcome, expected, JSON.stringify(reply));
      }
    });

    test('a broken connection, a gateway or an unreadable answer leaves the outcome unknown', async (t) => {
      const lost: Reply[] = [
        'cut',
        { head: 200 },
        { head: 502 },
        { status: 502, body: 'Bad gateway' },
        { status: 500 },
        { status: 200 },
      ];
      for (const reply of lost) {
        const server = await startProvider(t, () => reply);
        const outcome = await outcomeOf(settingsAt(name, provider, server.origin), t);
        assert.equal(outcome, 'unknown', JSON.stringify(reply));
        assert.equal(server.received.length, 1);
      }
    });

    const { batch } = provider;
    if (batch) {
      test('a batch is the same request with more messages, and each has its own outcome', async (t) => {
        const server = await startProvider(t, () => batch.reply);
        const { send } = startConnector(t, settingsAt(name, provider, server.origin));
        // Both requests have the longest validity, whatever the millisecond of each.
        const validUntil = Date.now() + 900_000_000;
        const [first, second] = await Promise.all([send({ validUntil }), send({ id: 7_002, validUntil })]);
        assert.deepEqual(first, { kind: 'accepted', carrierIds: ['7001'] });
        assert.equal(second.kind === 'refused' && second.code, batch.refused);
        assert.equal(server.received.length, 1);
        const { messages } = jsonOf(server.received[0]!);
        assert.equal(messages.length, 2);
        const [one, two] = messages.map((message: unknown) => JSON.stringify(message));
        assert.equal(two, one.replace('7001', '7002'));
      });

      test('a message of a batch without a result is not sent again', async (t) => {
        const server = await startProvider(t, () => batch.incomplete);
        const { send } = startConnector(t, settingsAt(name, provider, server.origin));
        const [, second] = await Promise.all([send(), send({ id: 7_002 })]);
        assert.deepEqual(second, { kind: 'unknown', isLast: true });
        assert.equal(server.received.length, 1);
      });
    }

    test('without a connection nothing was sent', async (t) => {
      const server = await startProvider(t, () => 'cut');
      await server.close();
      assert.equal(await outcomeOf(settingsAt(name, provider, server.origin), t), 'down');
    });

    test('reports and incoming messages are read', () => {
      const read = compileNotices(settingsAt(name, provider, 'https://x.example').description);
      for (const [request, carrierId, status, code] of provider.reports) {
        const { receipts, unreadable, incoming } = read(documentOf(request), 'reports');
        assert.deepEqual([unreadable, incoming.length, receipts.length], [0, 0, 1], request.body);
        const { destination, isReversed = false, ...receipt } = receipts[0]!;
        assert.deepEqual(receipt, { carrierId, status, code });
        const isUnanswered = provider.callerId !== undefined && status !== -1 && status !== 102;
        assert.equal(isReversed, isUnanswered, code);
        assert.ok(['', '972501234567'].includes(destination));
      }
      if (!provider.incoming) return;
      const { incoming, receipts } = read(documentOf(provider.incoming), 'incoming');
      assert.deepEqual(incoming, [{ from: '972501234567', to: '97237654321', text: 'Hi ש' }]);
      assert.equal(receipts.length, 0);
    });

    test('a signed request is accepted, and a forged or old one is not', async () => {
      const settings = settingsAt(name, provider, 'https://x.example');
      const signature = signatureOf(settings)!;
      const [{ type, body }] = provider.reports[0]!;
      const check = (headers: Readonly<Record<string, string>>, content = body, at = now) =>
        isSigned(
          {
            ...{ method: 'POST', url: REPORTS, body: Buffer.from(content), now: at },
            headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
          },
          signature,
          settings.secrets,
        );
      if (!provider.sign) {
        assert.equal(signature.scheme, 'secret-path');
        return;
      }
      const headers = await provider.sign(REPORTS, body, now);
      assert.ok(await check(headers));
      assert.ok(!(await check({})));
      const other = await provider.sign(`${REPORTS}x`, `${body} `, now);
      assert.ok(!(await check(other)));
      // Twilio and Plivo sign no time.
      if (!['twilio', 'twilio-calls', 'plivo'].includes(name))
        assert.ok(!(await check(headers, body, now + 900_000)));
    });
  });
}
