import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { isPublicAddress } from '../../../server/kit/http/addresses.ts';
import {
  createGuardedAgent,
  createSsrfGuard,
  guardedRequest,
  SsrfError,
} from '../../../server/kit/http/ssrf-guard.ts';
import { covers } from '../../conformance/covers.ts';

const closed4: [base: number, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
].map(([text, bits]) => [toNumber(text as string), bits as number]);

function toNumber(dotted: string): number {
  return dotted.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
}
const bytesOf = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255);
const dotted = (address: number) => bytesOf(address).join('.');
const hex4 = (address: number) => `${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}`;

/** An address inside one of the closed blocks. */
const closedAddress = fc
  .tuple(fc.constantFrom(...closed4), fc.nat(0xffffffff))
  .map(([[base, bits], random]) => base + (random % 2 ** (32 - bits)));

/** Ways to write an IPv4 address in a URL. */
const spellings: ((address: number) => string)[] = [
  dotted,
  (address) => `${dotted(address)}.`,
  (address) => String(address),
  (address) => `0x${address.toString(16)}`,
  (address) => `0${address.toString(8)}`,
  (address) =>
    bytesOf(address)
      .map((byte) => `0x${byte.toString(16)}`)
      .join('.'),
  (address) =>
    bytesOf(address)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  (address) => `${address >>> 24}.${address & 0xffffff}`,
  (address) => `${address >>> 24}.${(address >>> 16) & 255}.${address & 0xffff}`,
  (address) =>
    [...dotted(address)].map((c) => (c === '.' ? '。' : `%${c.charCodeAt(0).toString(16)}`)).join(''),
  (address) => `[::ffff:${dotted(address)}]`,
  (address) => `[::ffff:${hex4(address)}]`,
  (address) => `[0:0:0:0:0:FFFF:${hex4(address)}]`,
  (address) => `[::${hex4(address)}]`,
  (address) => `[64:ff9b::${hex4(address)}]`,
  (address) => `[64:ff9b:1::${hex4(address)}]`,
  (address) => `[2002:${hex4(address)}::1]`,
  (address) => `[2001:0:${hex4(address)}::1]`,
];

test('closed IPv4 addresses are refused in every spelling', covers('events.public addresses'), () => {
  const ssrfGuard = createSsrfGuard({ allowPrivate: false });
  fc.assert(
    fc.property(closedAddress, fc.constantFrom(...spellings), (address, spell) => {
      assert.throws(() => ssrfGuard.check(`http://${spell(address)}:8080/x`), SsrfError);
    }),
    { numRuns: 2_000 },
  );
});

test(
  'closed IPv6 addresses are refused, and what is no address is not public',
  covers('events.public addresses'),
  () => {
    const hextet = fc.nat(0xffff).map((n) => n.toString(16));
    const rest = fc.array(hextet, { minLength: 7, maxLength: 7 }).map((list) => list.join(':'));
    const first = fc.nat(0xffff).filter((n) => n < 0x2000 || n > 0x3fff);
    fc.assert(
      fc.property(first, rest, (head, tail) => {
        assert.equal(isPublicAddress(`${head.toString(16)}:${tail}`), false);
      }),
    );
    for (const address of [
      '::',
      '::1',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '2001:db8::1',
      '3fff::1',
      '',
    ]) {
      assert.equal(isPublicAddress(address), false, address);
    }
  },
);

test('public addresses pass, in IPv4, IPv4-mapped, NAT64 and IPv6', () => {
  const closed = (address: number) =>
    closed4.some(([base, bits]) => address >= base && address < base + 2 ** (32 - bits)) ||
    ['192.31.196.', '192.52.193.', '192.175.48.'].some((start) => dotted(address).startsWith(start));
  const ssrfGuard = createSsrfGuard({ allowPrivate: false });
  fc.assert(
    fc.property(
      fc.nat(0xffffffff).filter((n) => !closed(n)),
      (address) => {
        assert.equal(ssrfGuard.check(`https://${dotted(address)}/`).hostname, dotted(address));
        assert.equal(isPublicAddress(`::ffff:${dotted(address)}`), true);
        assert.equal(isPublicAddress(`64:ff9b::${hex4(address)}`), true);
      },
    ),
  );
  assert.equal(isPublicAddress('2606:4700:4700::1111'), true);
  ssrfGuard.check('https://hooks.example.com/a?b=c');
});

test('localhost, other schemes and credentials are refused', () => {
  const ssrfGuard = createSsrfGuard({ allowPrivate: false });
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost']) {
    assert.throws(() => ssrfGuard.check(`http://${host}/`), /private or reserved/, host);
  }
  for (const address of [
    'file:///etc/passwd',
    'gopher://example.com',
    'ws://example.com',
    'example.com',
    '',
    'http://',
  ]) {
    assert.throws(() => ssrfGuard.check(address), SsrfError, address);
  }
  assert.throws(() => ssrfGuard.check('http://a:b@example.com/'), /user name or password/);
  assert.doesNotThrow(() => createSsrfGuard({ allowPrivate: true }).check('http://localhost/'));
});

/** A server on loopback that redirects `/to?<address>` there and answers anything else with 200 `hello`. */
async function startServer(): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['x-mine'] ?? '-'}`);
    const target = /^\/(\d+)\?(.*)$/.exec(request.url!);
    if (target) response.writeHead(Number(target[1]), { location: target[2]! }).end();
    else response.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

const only = (address: string) => ({ allowPrivate: false, allowed: [`${address}/32`] });

test('each hop of a redirect goes through the SSRF guard', async () => {
  const { port, requests } = await startServer();
  const agent = createGuardedAgent(only('127.0.0.1'));
  after(() => agent.close());
  const base = `http://127.0.0.1:${port}`;
  const get = (path: string, maxRedirects = 3) =>
    guardedRequest(agent, `${base}${path}`, { maxRedirects, headers: { 'x-mine': 'yes' } });
  const answer = await get('/302?/end');
  assert.equal(answer.body.toString(), 'hello');
  assert.equal(answer.url.href, `${base}/end`);
  assert.deepEqual(requests, ['GET /302?/end yes', 'GET /end yes']);
  requests.length = 0;
  for (const target of [
    `http://127.0.0.2:${port}/`,
    `http://2130706434:${port}/`,
    `http://[::1]:${port}/`,
    'file:///x',
  ]) {
    await assert.rejects(get(`/307?${target}`), SsrfError, target);
  }
  assert.ok(requests.every((one) => one.startsWith('GET /307')));
  assert.equal((await get('/302?/end', 0)).status, 302);
  assert.equal((await get('/302?/302?/end', 1)).status, 302);
  const post = await guardedRequest(agent, `${base}/302?/end`, {
    method: 'POST',
    body: 'x',
    maxRedirects: 3,
  });
  assert.equal(post.status, 302);
});

test('what DNS answers is judged at the connection, so no later answer can slip through', async () => {
  const { port, requests } = await startServer();
  const answers = [[{ address: '127.0.0.1', family: 4 }], [{ address: '127.0.0.2', family: 4 }]];
  let asked = 0;
  const agent = createGuardedAgent({
    ...only('127.0.0.1'),
    lookup: (_host, _options, done) => done(null, answers[asked++]!),
  });
  after(() => agent.close());
  const url = `http://rebinding.example:${port}/`;
  const first = await guardedRequest(agent, url, { headers: { connection: 'close' } });
  assert.equal(first.status, 200);
  await assert.rejects(guardedRequest(agent, url), /may not be called/);
  assert.equal(asked, 2);
  assert.equal(requests.length, 1);
});

test('a name with one closed address among open ones is refused', async () => {
  const { port, requests } = await startServer();
  const agent = createGuardedAgent({
    ...only('127.0.0.1'),
    lookup: (_host, _options, done) =>
      done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]),
  });
  after(() => agent.close());
  await assert.rejects(guardedRequest(agent, `http://mixed.example:${port}/`), SsrfError);
  assert.equal(requests.length, 0);
});

test('a literal address is judged at the connection too, where no name is resolved', async () => {
  const { port, requests } = await startServer();
  const agent = createGuardedAgent({ allowPrivate: false });
  after(() => agent.close());
  const request = agent.dispatcher.request({ origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' });
  await assert.rejects(request, SsrfError);
  assert.equal(requests.length, 0);
});

test('no more of a body is read than asked for', async () => {
  const { port } = await startServer();
  const agent = createGuardedAgent({ allowPrivate: true });
  after(() => agent.close());
  const answer = await guardedRequest(agent, `http://127.0.0.1:${port}/`, { maxBytes: 2 });
  assert.equal(answer.body.toString(), 'he');
});
