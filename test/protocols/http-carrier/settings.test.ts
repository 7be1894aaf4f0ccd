import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  CarrierConfigurationError,
  callRoutes,
  readCarriers,
  trunksOf,
} from '../../../server/engine/carriers/configuration.ts';
import { readyDescription, readyNames } from '../../../server/protocols/http-carrier/providers.ts';
import {
  httpCarrierSettings,
  httpTrunksOf,
  requestsOrigin,
} from '../../../server/protocols/http-carrier/settings.ts';
import { PATH_SECRET, simple } from './support.ts';

const folder = await mkdtemp(join(tmpdir(), 'carillon-http-'));
after(() => rm(folder, { recursive: true }));

async function read(file: unknown) {
  const path = join(folder, 'carriers.json');
  await writeFile(path, JSON.stringify(file));
  return readCarriers({ CARRIERS_FILE: path })!;
}

/** The first problem of settings, as `path: message`; undefined when they are valid. */
function problemOf(input: object): string | undefined {
  const result = httpCarrierSettings.safeParse({ name: 'one', ...input });
  const issue = result.error?.issues[0];
  return issue && `${issue.path.join('.')}: ${issue.message}`;
}

const description = simple('https://api.example');

describe('settings', () => {
  test('defaults', () => {
    const settings = httpCarrierSettings.parse({ name: 'one', description });
    assert.deepEqual(
      [settings.window, settings.messagesPerSecond, settings.timeoutMs, settings.allowPrivate],
      [50, 0, 30_000, false],
    );
    assert.equal(settings.description.repeatable, false);
  });

  test('problems name the field', () => {
    const cases: [object, RegExp][] = [
      [{}, /^description: is missing/],
      [
        {
          description: {
            ...description,
            answer: {
              ...description.answer,
              rules: Array.from({ length: 8 }, () => ({
                when: { at: '/text', matches: '(?:[a-z]{1,20}x){4}' },
                then: 'refused',
              })),
            },
          },
        },
        /^description: its expressions have too many repetitions together/,
      ],
      [
        {
          description: {
            ...description,
            reports: { each: '/events/*', id: 're2:id=(\\w+)', status: '/status', states: {} },
          },
        },
        /^description: re2: reads the whole body/,
      ],
      [{ description: 'nexmo' }, /^description: no description has this name.*vonage/],
      [{ description: { ...description, sent: {} } }, /^description/],
      [
        { description: { ...description, send: { url: 'https://a.example/{phone}' } } },
        /^description\.send\.url: unknown placeholder/,
      ],
      [
        { description: { ...description, answer: { rules: [{ when: { at: 'id' }, then: 'accepted' }] } } },
        /^description\.answer\.rules\.0\.when\.at: .*locator/,
      ],
      [
        { description: { ...description, answer: { rules: [{ when: { status: 200 }, then: 'done' }] } } },
        /^description\.answer\.rules\.0\.then/,
      ],
      [
        {
          description: {
            ...description,
            answer: { rules: [{ when: { status: 200, is: 1 }, then: 'accepted' }] },
          },
        },
        /^description\.answer\.rules\.0\.when\.at: is missing/,
      ],
      [
        {
          description: { ...description, reports: { id: '/id', status: '/s', states: { done: 'arrived' } } },
        },
        /^description\.reports\.states\.done: must be one of sent, delivered/,
      ],
      [{ description: { ...description, signature: { scheme: 'md5' } } }, /^description\.signature/],
      [{ description: 'twilio', secrets: { account: 'a', token: 'b' } }, /^pathSecret: is missing/],
      [
        { description: 'twilio', secrets: { account: 'a' }, pathSecret: PATH_SECRET },
        /^secrets\.token: is missing/,
      ],
      [{ description, secrets: { other: 'a' } }, /^secrets\.other: is not used/],
      [{ description, pathSecret: 'short' }, /^pathSecret: takes 24/],
      [{ description, addresses: ['192.0.2.1'] }, /^addresses\.0: must be a network/],
      [{ description, window: 0 }, /^window/],
      [{ description, colour: 1 }, /colour/],
      [{ description: { ...description, signature: { scheme: 'addresses' } } }, /^addresses: is missing/],
      [
        { description: simple('https://{secret.host}'), secrets: { host: 'a/b' } },
        /^description\.send\.url: its host is not valid/,
      ],
    ];
    for (const [input, expected] of cases) assert.match(problemOf(input) ?? 'valid', expected);
  });

  test('the signature of the settings replaces that of the description', () => {
    const signature = { scheme: 'basic', user: 'user', password: 'password' };
    const secrets = { account: 'a', token: 'b', user: 'c' };
    assert.match(
      problemOf({ description: 'twilio', pathSecret: PATH_SECRET, signature, secrets }) ?? 'valid',
      /^secrets\.password: is missing/,
    );
    const all = { ...secrets, password: 'd' };
    assert.equal(
      problemOf({ description: 'twilio', pathSecret: PATH_SECRET, signature, secrets: all }),
      undefined,
    );
  });

  test('the address for requests of the provider has the secret', () => {
    const settings = httpCarrierSettings.parse({ name: 'one', description, pathSecret: PATH_SECRET });
    assert.equal(
      requestsOrigin(settings, 'https://me.example'),
      `https://me.example/carrier-requests/one/${PATH_SECRET}`,
    );
    assert.equal(requestsOrigin({ name: 'one', pathSecret: undefined }, 'https://me.example'), '');
  });

  test('every ready description is valid with its secrets', () => {
    assert.equal(readyNames.length, 13);
    for (const name of readyNames) {
      const problem = problemOf({ description: name, pathSecret: PATH_SECRET }) ?? 'valid';
      assert.match(problem, /^secrets\.\w+: is missing/, name);
      assert.equal(typeof (readyDescription(name) as { title: unknown }).title, 'string');
    }
  });
});

describe('a connector for calls', () => {
  const reports = { id: '/id', status: '/status', states: { done: 'delivered', engaged: 'busy' } };
  const calls = {
    ...description,
    channel: 'voice',
    reports,
    answer: { rules: [{ when: { status: 200 }, then: 'accepted' }] },
  };
  const settings = { description: calls, callerId: '+97237654321', pathSecret: PATH_SECRET };
  const described = (more: object) => problemOf({ ...settings, description: { ...calls, ...more } });

  test('is a trunk with prefixes and a caller number', () => {
    assert.equal(problemOf(settings), undefined);
    const [trunk] = httpTrunksOf([
      httpCarrierSettings.parse({ name: 'one', description }),
      httpCarrierSettings.parse({ name: 'two', ...settings, messagesPerSecond: 3 }),
    ]);
    assert.deepEqual(
      [trunk!.name, trunk!.prefixes, trunk!.callerId, trunk!.callsPerSecond],
      ['two', [''], '+97237654321', 3],
    );
  });

  test('refused settings and descriptions name the field', () => {
    const only = 'is only for "channel": "voice"';
    const cases: [string | undefined, string][] = [
      [problemOf({ ...settings, callerId: undefined }), 'callerId: is missing: calls need a caller number'],
      [problemOf({ ...settings, callerId: 'Shop' }), 'callerId: must be digits, with or without +'],
      [problemOf({ ...settings, prefixes: [] }), 'prefixes: Too small: expected array to have >=1 items'],
      [
        problemOf({ ...settings, pathSecret: undefined }),
        'pathSecret: is missing: only reports tell how a call ended',
      ],
      [problemOf({ description, callerId: '123' }), 'callerId: is only for calls'],
      [problemOf({ description, prefixes: ['1'] }), 'prefixes: is only for calls'],
      [
        described({ reports: undefined }),
        'description.reports: is missing: only reports tell how a call ended',
      ],
      [
        described({ incoming: { from: '/f', to: '/t', text: '/x' } }),
        'description.incoming: is only for SMS',
      ],
      [
        described({ reports: { ...reports, states: { late: 'expired' } } }),
        'description.reports.states.late: must be one of sent, delivered, hung-up, busy, no-answer, declined, no-such-number, failed for "channel": "voice"',
      ],
      [
        described({ answer: { rules: [{ when: { status: 400 }, then: 'refused', as: 'rejected' }] } }),
        'description.answer.rules.0.as: must be one of declined, no-such-number, failed for "channel": "voice"',
      ],
      [
        problemOf({ description: { ...description, languages: { en: 'en-US' } } }),
        `description.languages: ${only}`,
      ],
      [
        problemOf({
          description: { ...description, send: { ...description.send, query: { l: '{language}' } } },
        }),
        `description.send: {language} ${only}`,
      ],
      [
        problemOf({ description: { ...description, reports: { ...reports, states: { x: 'busy' } } } }),
        'description.reports.states.x: must be one of sent, delivered, undelivered, expired, rejected, deleted, failed, unreachable, unknown for "channel": "sms"',
      ],
    ];
    for (const [problem, expected] of cases) assert.equal(problem, expected);
    assert.match(described({ channel: 'fax' })!, /^description\.channel: /);
    assert.match(described({ languages: { fr: 'fr-FR' } })!, /^description\.languages/);
  });

  test('its file makes call routes, and no route of SMS can name it', async () => {
    const file = {
      http: [
        { name: 'texts', description },
        { name: 'calls', ...settings, prefixes: ['972', '1'] },
      ],
      trunks: [{ name: 'sip', uri: 'sip:sip.example', callerId: '123', prefixes: ['972'] }],
    };
    const carriers = await read(file);
    assert.deepEqual(carriers.routes[0]!.connectors, ['texts']);
    assert.deepEqual(
      callRoutes(trunksOf(carriers)).map(({ name, connectors, callerId }) => [name, connectors, callerId]),
      [
        ['voice/972', ['sip', 'calls'], '123'],
        ['voice/1', ['calls'], '97237654321'],
      ],
    );
    const route = { name: 'all', prefixes: [''], links: ['calls'] };
    await assert.rejects(read({ ...file, routes: [route] }), /route all names no connector "calls"/);
  });
});

describe('docs/http-carriers.md', () => {
  const page = readFileSync(new URL('../../../docs/http-carriers.md', import.meta.url), 'utf8');

  test('its examples are valid', async () => {
    const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => JSON.parse(json!));
    assert.equal(blocks.length, 7);
    const carriers = await read(blocks[0]);
    assert.deepEqual(
      carriers.http.map(({ name }) => name),
      ['twilio'],
    );
    const { name, http } = blocks[1];
    assert.equal(name, 'twilio');
    assert.equal(problemOf({ ...http, pathSecret: PATH_SECRET }), undefined);
    const secrets = { key: 'k', signing: 's' };
    assert.equal(problemOf({ description: blocks[2], secrets, pathSecret: PATH_SECRET }), undefined);
    const send = { ...description.send, signature: blocks[3] };
    assert.equal(problemOf({ description: { ...description, send }, secrets }), undefined);
    const batched = {
      send: {
        ...{ url: 'https://api.example', batch: { list: '/messages', max: 100 } },
        body: { json: { messages: [{ messageId: '{id}', text: '{text}' }] } },
      },
      answer: { rules: [{ when: { status: 429 }, then: 'throttled' }], items: blocks[4] },
    };
    assert.equal(problemOf({ description: batched }), undefined);
    const { reports } = blocks[2];
    assert.equal(problemOf({ description: { ...description, reports, poll: blocks[5] } }), undefined);
    const calls = { description: blocks[6], secrets: { key: 'k' }, callerId: '97237654321' };
    assert.equal(problemOf({ ...calls, pathSecret: PATH_SECRET }), undefined);
  });

  test('its table has the secrets of every ready description', () => {
    for (const name of readyNames) {
      const row = page.split('\n').findLast((line) => line.startsWith(`| \`${name}\` | `));
      const cell = row?.split(' | ')[1] ?? '';
      const listed = [...cell.matchAll(/`(\w+)`/g)].map(([, secret]) => secret!).sort();
      const result = httpCarrierSettings.safeParse({
        name: 'one',
        description: name,
        pathSecret: PATH_SECRET,
        ...(name.endsWith('-calls') && { callerId: '97237654321' }),
      });
      const needed = result.error!.issues.map(({ path }) => String(path[1])).sort();
      assert.deepEqual(listed, needed, name);
    }
  });
});

describe('CARRIERS_FILE', () => {
  const one = { name: 'one', description };

  test('a file has HTTP connectors, with or without SMPP connectors', async () => {
    const alone = await read({ http: [one] });
    assert.deepEqual(
      [alone.http.map(({ name }) => name), alone.routes],
      [['one'], [{ name: 'default', prefixes: [''], connectors: ['one'] }]],
    );
    const both = await read({ http: [one], links: [{ name: 'two', host: 'smsc.example', systemId: 'me' }] });
    assert.deepEqual(both.routes[0]!.connectors, ['two', 'one']);
  });

  test('routes name them', async () => {
    const { routes } = await read({ http: [one], routes: [{ name: 'all', prefixes: [''], links: ['one'] }] });
    assert.deepEqual(routes, [{ name: 'all', prefixes: [''], connectors: ['one'] }]);
    await assert.rejects(
      read({ http: [one], routes: [{ name: 'all', prefixes: [''], links: ['two'] }] }),
      CarrierConfigurationError,
    );
  });

  test('names are unique, and problems name the place', async () => {
    await assert.rejects(read({ http: [one, one] }), /same name/);
    await assert.rejects(
      read({ http: [one], links: [{ name: 'one', host: 'smsc.example', systemId: 'me' }] }),
      /same name/,
    );
    await assert.rejects(read({ http: [{ name: 'one', description: {} }] }), /http\.0\.description\.send/);
  });
});
