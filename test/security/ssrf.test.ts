import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { after, describe, test } from 'node:test';
import { Pool } from 'undici';
import { fetchSample } from '../../server/channels/chat/template-sample.ts';
import { MediaCheck, UnfitMedia } from '../../server/kit/http/media-check.ts';
import { createGuardedAgent, createSsrfGuard, SsrfError } from '../../server/kit/http/ssrf-guard.ts';
import { type Body, SOURCE, startChat } from '../channels/chat-api/support.ts';
import { startReceiver } from '../engine/events/support.ts';
import { DEMO_TOKEN, forms } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { startVictim } from './attack.ts';

/*
 * An account makes the service call what only the service can reach. The service calls an address that an account
 * gave in six places: webhooks, pushes (`push_url` and /v1), links to media of template messages, of button messages,
 * of carousels and of campaigns, and examples of media in templates. All of them go through server/kit/http/ssrf-guard.ts.
 */

const chat = await startChat({ WEBHOOKS_TO_PRIVATE_ADDRESSES: 'off' });
const victim = await startVictim();
const { port } = victim;
const withImage = await chat.addTemplate('with_image', { header: { kind: 'image', sample: '' } as never });
const client = await chat.writingClient();

/** Loopback, link-local, private and reserved addresses, in spellings that a check of the text would miss. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  'loopback as it is': ['127.0.0.1', '127.1.2.3', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]'],
  'loopback by name': ['localhost', 'LOCALHOST', 'localhost.', 'metadata.localhost', 'loc%61lhost'],
  'IPv4 as a decimal number': ['2130706433', '2130706433.', '3232235777'],
  'IPv4 in octal': ['0177.0.0.1', '017700000001', '0000000177.0.0.1', '0177.0000.0000.0001'],
  'IPv4 in hexadecimal': ['0x7f000001', '0x7f.0x0.0x0.0x1', '0X7F.1', '0x00000000007f000001'],
  'IPv4 with fewer parts': ['127.1', '127.0.1', '10.1', '192.168.257', '0x7f.1', '0177.1'],
  'IPv4 with a dot at the end': ['127.0.0.1.', '169.254.169.254.'],
  'this host': ['0.0.0.0', '0', '0x0', '00', '[::]', '0.1.2.3'],
  'IPv4 in IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:FFFF:7F00:0001]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::1]',
    '[2001:0:7f00:1::1]',
  ],
  'metadata of a cloud': [
    '169.254.169.254',
    '2852039166',
    '0xA9FEA9FE',
    '0251.0376.0251.0376',
    '169.254.43518',
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '192.0.0.192',
  ],
  'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '198.18.0.1'],
  'IPv6 of a link or a site': [
    '[fe80::1]',
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[fc00::1]',
    '[fd12:3456::1]',
  ],
  'multicast, broadcast and what is reserved': [
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '[ff02::1]',
    '[2001:db8::1]',
  ],
  'other digits, dots and letters': [
    '①②⑦.⓪.⓪.①',
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '%31%32%37.%30.%30.%31',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'ｌｏｃａｌｈｏｓｔ',
    '127.0.0.1\u00ad',
    '127.0.\u200b0.1',
  ],
};

/** Whole addresses whose host, scheme or credentials are read differently by different readers. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  'credentials that hide the host': [
    `http://example.com@127.0.0.1:${port}/a.jpg`,
    `http://example.com:80@127.0.0.1:${port}/a.jpg`,
    'http://user:secret@example.com/a.jpg',
    'http://127.0.0.1@example.com/a.jpg',
  ],
  'a host behind backslashes, tabs and missing slashes': [
    `http:\\\\127.0.0.1:${port}\\a.jpg`,
    `http://127.0.0.1:${port}\\@example.com/a.jpg`,
    `http:127.0.0.1:${port}/a.jpg`,
    `http:/127.0.0.1:${port}/a.jpg`,
    `http:////127.0.0.1:${port}/a.jpg`,
    `ht\ntp://127.0\t.0.1:${port}/a.jpg`,
  ],
  'other ports of this machine': [22, 25, 53, 2_775, 5_432, 6_379, 9_200, 65_535].map(
    (other) => `http://127.0.0.1:${other}/a.jpg`,
  ),
  'other schemes': [
    'file:///etc/passwd',
    'file://127.0.0.1/etc/passwd',
    `gopher://127.0.0.1:${port}/_GET%20/`,
    `ftp://127.0.0.1:${port}/a.jpg`,
    `dict://127.0.0.1:${port}/info`,
    `ldap://127.0.0.1:${port}/a.jpg`,
    `ws://127.0.0.1:${port}/a.jpg`,
    `jar:http://127.0.0.1:${port}!/a.jpg`,
    `blob:http://127.0.0.1:${port}/a.jpg`,
    'unix:///var/run/docker.sock',
    'data:image/jpeg;base64,AAAA',
    'javascript:fetch("/")',
    `//127.0.0.1:${port}/a.jpg`,
    '/a.jpg',
    'http://',
    'http://[::1',
    'http://127.0.0.1:99999/a.jpg',
  ],
};

const attempts: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(hosts).map(([what, list]) => [what, list.map((host) => `http://${host}:${port}/a.jpg`)]),
  ),
  ...addresses,
};

const v1 = (path: string, body: unknown) =>
  fetch(`${chat.url}/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** By chat: the answer names the reason, and nothing was sent. */
async function refusedByChat(path: string, body: Body, reason: number): Promise<void> {
  const { http, success, ans, message } = await chat.post(path, body);
  assert.deepEqual([http, success, ans.reason], [200, false, reason], `${JSON.stringify(body)}: ${message}`);
}

async function refusedByV1(path: string, body: unknown): Promise<void> {
  const answer = await v1(path, body);
  const text = await answer.text();
  assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${text}`);
  assert.equal((JSON.parse(text) as { error: { code: string } }).error.code, 'bad-field');
}

const card = (link: string) => ({ card1_headerLink: link, card2_headerLink: link });
/** Every place where an account names an address that the service calls. */
const places: Readonly<Record<string, (address: string) => Promise<void>>> = {
  'a webhook': (url) => refusedByV1('/webhooks', { url }),
  'a push by /v1': (url) => refusedByV1('/webhooks', { kind: 'dlr', url }),
  push_url: async (url) => {
    for (const form of forms) {
      // The attacker's XML may have no character that XML does not allow.
      const answer = await chat.call(form, 'push_url', { type: 'dlr', url });
      assert.deepEqual([answer.http, answer.status], [200, 2], `${form} ${url}: ${answer.message}`);
    }
  },
  'a template message': (headerLink) =>
    refusedByChat(
      'send-template-message',
      { source: SOURCE, destination: client, templateId: withImage, headerLink },
      15,
    ),
  'a button message': (headerURL) =>
    refusedByChat(
      'send-buttons',
      { source: SOURCE, destination: client, header: '2', headerURL, body: 'Look', button1: 'Yes' },
      13,
    ),
  'a carousel': (link) =>
    refusedByChat(
      'send-carousel',
      {
        source: SOURCE,
        destination: client,
        message: 'Look',
        buttons: 2,
        card1_button1: 'Yes',
        card2_button1: 'Yes',
        ...card(link),
      },
      12,
    ),
  'a campaign': async (header_link) => {
    const body = {
      source: SOURCE,
      destinations: { phones: [client] },
      campaign_message: withImage,
      future_campaign: 'instant',
      header_link,
    };
    const { json } = await chat.post('create-campaign-wa', body);
    assert.equal(
      JSON.stringify(json).includes('"success":true'),
      false,
      `${header_link}: ${JSON.stringify(json)}`,
    );
  },
  'a message or campaign of /v1': async (header_link) => {
    const given = { source: SOURCE, template_id: withImage, header_link };
    for (const [path, body] of [
      ['/chat/messages', { ...given, destination: client }],
      ['/chat/campaigns', { ...given, phones: [client] }],
    ] as const) {
      const answer = await v1(path, body);
      assert.equal(answer.status, 400, `${path} ${header_link}: ${await answer.text()}`);
    }
  },
  'the example of a template': (sample) =>
    refusedByV1('/chat/templates', {
      phone: SOURCE,
      name: `stolen_${++made}`,
      language: '2',
      category: 'utility',
      header: { kind: 'image', sample },
      body: 'Hello',
    }),
};
let made = 0;

for (const [place, tryAddress] of Object.entries(places)) {
  describe(`reach the inside through ${place}`, () => {
    for (const [what, list] of Object.entries(attempts)) {
      test(what, async () => {
        for (const address of list) await tryAddress(address);
        assert.deepEqual(victim.hits, [], 'the inside was reached');
      });
    }
  });
}

test('there are at least twenty spellings', () => {
  assert.ok(Object.values(attempts).flat().length >= 20);
});

/** An agent for which `127.0.0.1` is a public address, names have these answers in turn, and all else is closed. */
function outside(answers: readonly (readonly string[])[]) {
  let asked = 0;
  const options = {
    allowPrivate: false,
    allowed: ['127.0.0.1/32'],
    lookup: (_host: string, _options: unknown, done: (error: null, found: LookupAddress[]) => void) =>
      done(
        null,
        answers[Math.min(asked++, answers.length - 1)]!.map((address) => ({
          address,
          family: address.includes(':') ? 6 : 4,
        })),
      ),
  };
  const agent = createGuardedAgent(options);
  after(() => agent.close());
  return { agent, options };
}

/** The ways in which the service uses what is behind an address, each through a name that the attacker owns. */
async function throughEveryWay(answers: readonly (readonly string[])[], path: string): Promise<void> {
  const address = `http://name-of-the-attacker.example:${port}${path}`;
  const media = new MediaCheck({ agent: outside(answers).agent, mode: 'strict' });
  await assert.rejects(media.check(address, { extensions: { image: ['jpg'] } }), UnfitMedia);
  const sample = await fetchSample(outside(answers).agent, 'image', address);
  assert.equal(sample.sample, undefined);
  assert.match(sample.problem!, /may not be called/);
  // The way of webhooks and pushes (server/engine/events/webhook-queue.ts).
  const pool = new Pool(new URL(address).origin, {
    connect: createSsrfGuard(outside(answers).options).connect,
  });
  after(() => pool.destroy());
  await assert.rejects(pool.request({ method: 'POST', path, body: 'x' }), SsrfError);
}

describe('reach the inside through the DNS', () => {
  for (const [what, found] of Object.entries({
    'a name of this machine': ['127.0.0.2'],
    'a name of IPv6 loopback': ['::1'],
    'a name of an IPv4-mapped address': ['::ffff:127.0.0.2'],
    'a name of the metadata address': ['169.254.169.254'],
    'a name of 0.0.0.0': ['0.0.0.0'],
    'a name with a public and a private address': ['127.0.0.1', '10.0.0.1'],
    'a name with no address at all': [],
  })) {
    test(what, async () => {
      await throughEveryWay([found], '/a.jpg');
      assert.deepEqual(victim.hits, []);
    });
  }

  test('rebinding: a public address for the check and a private one for the connection', async () => {
    const { agent } = outside([['127.0.0.2']]);
    const address = `http://rebinding.example:${port}/a.jpg`;
    // The check of the form asks no name server, so there is nothing to win between it and the connection: the
    // addresses that are judged are those that the socket gets.
    assert.equal(agent.ssrfGuard.check(address).hostname, 'rebinding.example');
    await throughEveryWay([['127.0.0.2']], '/a.jpg');
    assert.deepEqual(victim.hits, []);
  });

  test('rebinding between two requests on a kept connection', async () => {
    const outer = await startVictim((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg', connection: 'close' }).end('x');
    });
    const { agent } = outside([['127.0.0.1'], ['127.0.0.2']]);
    const media = new MediaCheck({ agent, mode: 'strict' });
    // The second request (GET after HEAD told no size) is answered by the name server with an inner address.
    await assert.rejects(
      media.check(`http://rebinding.example:${outer.port}/a.jpg`, { extensions: { image: ['jpg'] } }),
      (error) => error instanceof UnfitMedia && error.problem === 'address',
    );
    assert.equal(outer.hits.length, 1);
  });
});

describe('reach the inside through a redirect', () => {
  const targets = [
    `http://127.0.0.2:${port}/a.jpg`,
    `http://[::1]:${port}/a.jpg`,
    `http://2130706434:${port}/a.jpg`,
    `http://localhost:${port}/a.jpg`,
    `//127.0.0.2:${port}/a.jpg`,
    `http://x@127.0.0.1:${port}/a.jpg`,
    'file:///etc/passwd',
    `gopher://127.0.0.1:${port}/`,
  ];
  let target = '';
  let status = 302;

  test('of a link to media and of the example of a template', async () => {
    const outer = await startVictim((_request, response) =>
      response.writeHead(status, { location: target }).end(),
    );
    const { agent } = outside([['127.0.0.2']]);
    const media = new MediaCheck({ agent, mode: 'strict' });
    for (status of [301, 302, 303, 307, 308]) {
      for (target of targets) {
        const address = `http://127.0.0.1:${outer.port}/${status}/${targets.indexOf(target)}.jpg`;
        await assert.rejects(media.check(address, { extensions: { image: ['jpg'] } }), UnfitMedia, target);
        const { problem } = await fetchSample(agent, 'image', address);
        assert.equal(typeof problem, 'string', target);
      }
    }
    assert.deepEqual(victim.hits, []);
  });

  test('without end', async () => {
    const outer = await startVictim((request, response) =>
      response.writeHead(302, { location: `${request.url}x` }).end(),
    );
    const { agent } = outside([['127.0.0.1']]);
    const { problem } = await fetchSample(agent, 'image', `http://127.0.0.1:${outer.port}/a.jpg`);
    assert.match(problem!, /302/);
    assert.ok(outer.hits.length <= 4, `${outer.hits.length}`);
  });
});

test('a webhook of an open installation is not led on by a redirect either', async () => {
  const { sql, demo, url } = chat;
  const receiver = await startReceiver();
  receiver.answer = (response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${port}/inner` }).end();
  const made = await v1('/webhooks', { url: 'https://hooks.example.com/x' });
  const { id } = (await made.json()) as { id: string };
  // As if it had been registered while private addresses were allowed.
  await sql`
    UPDATE event_endpoints SET url = ${receiver.url} WHERE account_id = ${demo.id} AND id = ${Number(id)}`;
  const tested = await waitFor('the service to know the other address', async () => {
    const answer = await fetch(`${url}/v1/webhooks/${id}/test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const body = (await answer.json()) as { answer?: { error?: string } };
    return /may not be called/.test(JSON.stringify(body)) && body;
  });
  assert.ok(tested);
  assert.deepEqual([receiver.received.length, victim.hits], [0, []], 'a stored address is judged again');
});
