import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TokenScope } from '../../../server/api/access/scopes.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { call, connectByHttp, type Fields, refusedBy, use, versions } from './support.ts';

/* The MCP server by streamable HTTP, as the official client uses it. */

const lines: string[] = [];
const service = await startTestService({
  settings: { MCP_API: 'on', LOG_LEVEL: 'debug' },
  logTo: (line) => lines.push(line),
});
const { url, appContext, demo } = service;
const client = await connectByHttp(url, DEMO_TOKEN);

const textsOf = async (phone: string) => (await service.phone(phone)).map(({ text }) => text);

/** Posts a message without the client. */
const post = (body: string, headers: Record<string, string> = {}, method = 'POST') =>
  fetch(`${url}/mcp`, {
    method,
    headers: {
      authorization: `Bearer ${DEMO_TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(method === 'POST' && { body }),
  });
const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

for (const version of versions) {
  test(`a client of ${version} lists the tools and calls one`, covers('mcp.http'), async () => {
    const own = await connectByHttp(url, DEMO_TOKEN, version);
    assert.equal(own.getNegotiatedProtocolVersion(), version);
    assert.equal(own.getServerVersion()?.name, 'carillon');
    const { tools } = await own.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), [
      'estimate_sms',
      'find_contact',
      'find_messages',
      'get_balance',
      'get_message',
      'list_chat_templates',
      'list_contact_lists',
      'list_mail_templates',
      'send_chat_template',
      'send_sms',
    ]);
    for (const { name, annotations, inputSchema } of tools) {
      assert.equal(annotations?.readOnlyHint, !name.startsWith('send_'), name);
      assert.equal(inputSchema.additionalProperties, false, name);
    }
    assert.equal(tools.find(({ name }) => name === 'send_sms')!.annotations!.destructiveHint, true);
    assert.equal((await use(own, 'get_balance')).balance, String(await service.balance()));
    await own.close();
  });
}

test('a token has the tools of its scopes only', covers('mcp.scopes'), async () => {
  const cases = {
    billing: ['get_balance'],
    contacts: ['find_contact', 'list_contact_lists'],
    read: ['find_messages', 'get_balance', 'get_message', 'list_chat_templates', 'list_mail_templates'],
    send: [
      'estimate_sms',
      'get_balance',
      'list_chat_templates',
      'list_mail_templates',
      'send_chat_template',
      'send_sms',
    ],
  } as const;
  for (const [scope, expected] of Object.entries(cases)) {
    const { id, token } = await appContext.tokens.mint(demo.id, { scopes: [scope as TokenScope] });
    const own = await connectByHttp(url, token);
    const { tools } = await own.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), expected, scope);
    if (scope !== 'send') await assert.rejects(call(own, 'send_sms', {}), /send_sms/);
    await own.close();
    await appContext.tokens.revoke(id);
    await assert.rejects(connectByHttp(url, token));
  }
});

test('a token whose scopes have no tool is refused', async () => {
  const { id, token } = await appContext.tokens.mint(demo.id, { scopes: ['codes', 'webhooks'] });
  const response = await post(listTools, { authorization: `Bearer ${token}` });
  assert.equal(response.status, 403);
  await appContext.tokens.revoke(id);
});

describe('a send', () => {
  test('is a dry run first, and happens with its confirmation', covers('mcp.dry-run'), async () => {
    const phones = [newPhone(), newPhone()];
    const sms = { source: 'Shop', message: 'By an assistant', phones, campaign_name: 'Assistant' };
    const before = await service.balance();
    const dry = await use(client, 'send_sms', sms);
    assert.equal(dry.sent, false);
    assert.equal(dry.refusal, null);
    assert.deepEqual(
      [dry.dry_run.recipients, dry.dry_run.parts, dry.dry_run.currency, dry.dry_run.text],
      [2, 1, 'credits', 'By an assistant'],
    );
    assert.equal(await service.balance(), before);

    const sent = await use(client, 'send_sms', { ...sms, confirmation: dry.confirmation });
    assert.deepEqual([sent.sent, sent.repeated], [true, false]);
    for (const phone of phones) {
      await waitFor('the text', async () => (await textsOf(phone)).includes('By an assistant'));
    }
    assert.equal(await service.balance(), before - Number(dry.dry_run.cost));

    const found = await waitFor('both to be delivered', async () => {
      const { messages } = await use(client, 'find_messages', {
        shipment_id: sent.shipment_id,
        state: 'delivered',
      });
      return messages.length === 2 ? messages : undefined;
    });
    const { message, content } = await use(client, 'get_message', { id: found[0].id });
    assert.equal(message.steps[0].step, 'accepted');
    assert.ok(message.steps.some(({ step }: { step: string }) => step === 'delivered'));
    assert.match(JSON.stringify(content), /By an assistant/);
  });

  test('happens once, however often its confirmation is used', covers('mcp.once'), async () => {
    const phone = newPhone();
    const sms = { source: 'Shop', message: 'Once', phones: [phone], campaign_name: 'Once' };
    const { confirmation } = await use(client, 'send_sms', sms);
    const first = await use(client, 'send_sms', { ...sms, confirmation });
    const [second, third] = await Promise.all([
      use(client, 'send_sms', { ...sms, confirmation }),
      use(client, 'send_sms', { confirmation, ...sms }),
    ]);
    await service.advance(3_600);
    const later = await use(client, 'send_sms', { ...sms, confirmation });
    for (const again of [second, third, later]) {
      assert.deepEqual([again.shipment_id, again.repeated], [first.shipment_id, true]);
    }
    await waitFor('the text', async () => (await textsOf(phone)).length > 0);
    assert.deepEqual(await textsOf(phone), ['Once']);
  });

  test(
    'is refused with other arguments, of another account and after ten minutes',
    covers('mcp.changed'),
    async () => {
      const phone = newPhone();
      const sms = { source: 'Shop', message: 'As agreed', phones: [phone] };
      const { confirmation, expires_at } = await use(client, 'send_sms', sms);
      const changes = [
        { message: 'Not as agreed' },
        { phones: [phone, newPhone()] },
        { source: 'Other' },
        { campaign_name: 'Other' },
        { confirmation: `${confirmation.slice(0, -2)}AA` },
        { confirmation: confirmation.replace(/:[^:]+:1:/, ':0.0001:1:') },
        { confirmation: 'yes' },
        { confirmation: '' },
      ];
      for (const change of changes) {
        const refused = await refusedBy(client, 'send_sms', { ...sms, confirmation, ...change });
        assert.deepEqual([refused.code, refused.field], ['confirmation-invalid', 'confirmation']);
        assert.match(refused.message, /Nothing was sent/);
      }
      const other = await service.addAccount({ username: 'other-assistant' });
      const own = await connectByHttp(url, other.token);
      assert.equal((await refusedBy(own, 'send_sms', { ...sms, confirmation })).code, 'confirmation-invalid');
      await own.close();

      assert.equal(Date.parse(expires_at) - appContext.clock.now() <= 600_000, true);
      await service.advance(600);
      assert.equal(
        (await refusedBy(client, 'send_sms', { ...sms, confirmation })).code,
        'confirmation-expired',
      );
      const { messages } = await use(client, 'find_messages', { phone });
      assert.deepEqual(messages, []);
    },
  );

  test('is refused at another price than the confirmed one', covers('mcp.changed'), async () => {
    const account = await service.addAccount({ username: 'repriced' });
    const own = await connectByHttp(url, account.token);
    const sms = { source: 'Shop', message: 'At this price', phones: [newPhone()] };
    const { confirmation, dry_run } = await use(own, 'send_sms', sms);
    await appContext.prices.set(account.id, 'sms', '', '7');
    const refused = await refusedBy(own, 'send_sms', { ...sms, confirmation });
    assert.equal(refused.code, 'confirmation-outdated');
    assert.match(refused.message, new RegExp(`1 recipients and ${dry_run.cost} credits, .* 1 and 7\\.`));
    assert.equal(await service.balance(account.id), 1_000);
    await own.close();
  });

  test('with a shortened removal link has the text of its dry run', async () => {
    const phone = newPhone();
    const sms = { source: 'Shop', message: 'Sale', phones: [phone], removal: 'link' };
    const { confirmation } = await use(client, 'send_sms', sms);
    assert.equal((await use(client, 'send_sms', { ...sms, confirmation })).sent, true);
    await waitFor('the text', async () => (await textsOf(phone)).some((text) => text.includes('http')));
  });

  test('of a chat template is refused if the template has changed since its dry run', async () => {
    const message = {
      source: '972550000001',
      to: newPhone(),
      template_id: '1_972550000001_two',
      variables: { 1: 'Dana', 2: '1234' },
    };
    const { confirmation, dry_run } = await use(client, 'send_chat_template', message);
    assert.match(dry_run.body, /Dana.*1234/);
    // Other processes read the change within seconds, as this one does. A review of the platform may undo it meanwhile.
    const rename = (from: string, to: string) =>
      waitFor('the change', async () => {
        await service.sql`
          UPDATE chat_templates SET content = replace(content::text, ${from}, ${to})::jsonb
          WHERE template_id = ${message.template_id}`;
        return (await use(client, 'send_chat_template', message)).dry_run.body.includes(to);
      });
    await rename('your order', 'your parcel');
    const refused = await refusedBy(client, 'send_chat_template', { ...message, confirmation });
    assert.equal(refused.code, 'confirmation-outdated');
    await rename('your parcel', 'your order');
    const sent = await use(client, 'send_chat_template', { ...message, confirmation });
    assert.equal(sent.body, dry_run.body);
    const again = await use(client, 'send_chat_template', { ...message, confirmation });
    assert.deepEqual([again.id, again.repeated], [sent.id, true]);
  });

  test('that would be refused has no confirmation', async () => {
    const poor = await service.addAccount({ username: 'poor-assistant' }, 0);
    const own = await connectByHttp(url, poor.token);
    const sms = { source: 'Shop', message: 'Too expensive', phones: [newPhone()] };
    const { confirmation, refusal } = await use(own, 'send_sms', sms);
    assert.deepEqual([confirmation, refusal.code], [null, 'no-credit']);
    const nobody = await use(own, 'send_sms', { ...sms, phones: [] });
    assert.deepEqual([nobody.confirmation, nobody.refusal.code], [null, 'all-blocked']);
    await own.close();
  });

  test('names the wrong field', async () => {
    const sms = { source: 'Shop', message: 'Hello', phones: [newPhone()] };
    const cases = [
      [{ source: 'a sender that is too long' }, 'bad-source', 'source'],
      [{ phones: ['12'] }, 'bad-destination', 'phones'],
      [{ lists: ['17'] }, 'unknown-list', undefined],
      [{ at: 'tomorrow' }, 'bad-field', 'at'],
    ] as const;
    for (const [change, code, field] of cases) {
      const refused = await refusedBy(client, 'send_sms', { ...sms, ...change });
      assert.equal(refused.code, code, JSON.stringify(refused));
      if (field !== undefined) assert.equal(refused.field, field, JSON.stringify(refused));
    }
  });
});

test('an estimate has the price, and no confirmation', async () => {
  const estimate = await use(client, 'estimate_sms', { message: 'שלום'.repeat(30), phones: [newPhone()] });
  assert.deepEqual([estimate.encoding, estimate.parts, estimate.recipients], ['ucs2', 2, 1]);
  assert.equal(estimate.confirmation, undefined);
});

test('contact lists, contacts and templates are listed', async () => {
  const { contact_lists } = await use(client, 'list_contact_lists');
  assert.ok(Array.isArray(contact_lists));
  assert.deepEqual((await use(client, 'find_contact', { phone: newPhone() })).lists, []);
  assert.ok(Array.isArray((await use(client, 'list_chat_templates', { limit: 1 })).templates));
  assert.ok(Array.isArray((await use(client, 'list_mail_templates', { search: 'none' })).templates));
});

test('unknown tools, unknown arguments and arguments of another type are refused', async () => {
  await assert.rejects(call(client, 'delete_everything'), /delete_everything/);
  for (const args of [{ phone: 1 }, { nobody: 'x' }, { limit: 0 }]) {
    const result = await call(client, 'find_messages', args);
    assert.equal(result.isError, true);
    assert.match(JSON.stringify(result.content), new RegExp(Object.keys(args)[0]!));
  }
  assert.equal((await refusedBy(client, 'get_message', { id: '1' })).code, 'not-found');
});

describe('a request', () => {
  test('without a valid token is refused with 401', async () => {
    for (const authorization of ['', 'Bearer no-such-token', 'Basic ZGVtbzpkZW1v']) {
      const response = await post(listTools, { authorization });
      assert.equal(response.status, 401);
      assert.match(response.headers.get('www-authenticate')!, /^Bearer/);
      const { error } = (await response.json()) as Fields;
      assert.equal(error.data.code, 'signed-out');
    }
    await assert.rejects(connectByHttp(url, 'no-such-token'));
  });

  test('of a page of another origin is refused with 403', covers('mcp.origin'), async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:6274']) {
      assert.equal((await post(listTools, { origin })).status, 403);
    }
    assert.equal((await post(listTools, { origin: new URL(url).origin })).status, 200);
  });

  test('by GET and DELETE is answered with 405', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await post('', {}, method);
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), 'POST');
    }
  });

  test('that is no message is refused in the form of JSON-RPC', async () => {
    const cases: [string, Record<string, string>, number][] = [
      ['{', {}, 400],
      ['', {}, 400],
      [`[${listTools}]`, {}, 400],
      ['17', {}, 400],
      ['{"jsonrpc":"2.0"}', {}, 400],
      [listTools, { 'content-type': 'text/plain' }, 415],
      [JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { x: 'x'.repeat(300_000) } }), {}, 413],
    ];
    for (const [body, headers, status] of cases) {
      const response = await post(body, headers);
      assert.equal(response.status, status, body.slice(0, 40));
      const { jsonrpc, error } = (await response.json()) as Fields;
      assert.equal(jsonrpc, '2.0');
      assert.equal(typeof error.code, 'number');
    }
  });

  test('for a stream of changes is refused, since nothing is kept open', async () => {
    await assert.rejects(client.listen({ toolsListChanged: true }));
  });
});

test('the request log has the routes that tools called', async () => {
  const { requests } = await waitFor('the log', async () => {
    const response = await fetch(`${url}/v1/request-log?operation=sendText&limit=1`, {
      headers: { authorization: `Bearer ${DEMO_TOKEN}` },
    });
    const log = (await response.json()) as Fields;
    return log.requests.length === 1 ? log : undefined;
  });
  assert.equal(requests[0].api, 'v1');
});

test('logs have no texts, tokens and confirmations', () => {
  const log: string = lines.join('\n');
  assert.ok(log.length > 0);
  for (const secret of ['By an assistant', 'As agreed', DEMO_TOKEN]) assert.ok(!log.includes(secret), secret);
});
