import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { createHttpServer } from '../../server/api/http-server.ts';
import { channels } from '../../server/channels/index.ts';
import { ConfigError, readConfig } from '../../server/kit/config.ts';
import { normaliseForwardedFor, readTrustedProxies } from '../../server/kit/http/trusted-proxies.ts';
import { addPerson, Browser, PASSWORD } from '../support/console.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* An attacker writes `X-Forwarded-For` to be somebody else: an address that is allowed, or a new one for each attempt. */

/** A server that says whom it takes its caller for. */
async function mirror(trustProxy: string): Promise<string> {
  const app = await createHttpServer({ proxies: readTrustedProxies(trustProxy), https: false });
  app.get('/', ({ ip, protocol, host }) => ({ ip, protocol, host }));
  await app.listen({ host: '::', port: 0 });
  after(() => app.close());
  return String((app.server.address() as AddressInfo).port);
}

interface Seen {
  readonly ip: string;
  readonly protocol: string;
  readonly host: string;
}

/** Asks over a connection of its own; a header may be given several times. */
function ask(port: string, headers: Record<string, string | string[]>, host = '127.0.0.1'): Promise<Seen> {
  return new Promise((resolve, reject) => {
    httpRequest({ host, port, path: '/', headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(JSON.parse(text) as Seen));
    })
      .once('error', reject)
      .end();
  });
}

/** The last entry is what the proxy saw; all before it is what the attacker wrote. */
const forgeries: readonly (string | string[])[] = [
  '192.0.2.1, 203.0.113.9',
  '127.0.0.1, 203.0.113.9',
  '::1, 127.0.0.1, 10.0.0.1, 203.0.113.9',
  ' 192.0.2.1 ,\t203.0.113.9 ',
  ['192.0.2.1', '203.0.113.9'],
  '192.0.2.1,,203.0.113.9',
  'unknown, 203.0.113.9',
  '", 192.0.2.1", 203.0.113.9',
  `${'192.0.2.1, '.repeat(200)}203.0.113.9`,
  '192.0.2.1, 203.0.113.9:51234',
  '192.0.2.1, ::ffff:203.0.113.9',
  '192.0.2.1, [::ffff:203.0.113.9]:443',
  '192.0.2.1, "203.0.113.9"',
];

describe('what one proxy appended is the address, whatever the client wrote before it', () => {
  for (const setting of ['1', '127.0.0.1', 'loopback', '127.0.0.0/8,::1', '::ffff:127.0.0.1']) {
    test(`TRUST_PROXY=${setting}`, async () => {
      const port = await mirror(setting);
      for (const forged of forgeries) {
        const { ip } = await ask(port, { 'x-forwarded-for': forged });
        assert.equal(ip, '203.0.113.9', String(forged).slice(0, 80));
      }
      // A chain that ends in no address: the last machine that is known.
      for (const forged of ['192.0.2.1, unknown', '192.0.2.1, 127.1', '192.0.2.1, 0x7f.1', '_secret', '']) {
        assert.match((await ask(port, { 'x-forwarded-for': forged })).ip, /^(::ffff:)?127\.0\.0\.1$/, forged);
      }
      const six = await ask(port, { 'x-forwarded-for': '192.0.2.1, [2001:DB8:0:0::7]:443' });
      assert.equal(six.ip, '2001:db8::7');
    });
  }

  test('two proxies: the entry of the outer one counts', async () => {
    for (const setting of ['2', '127.0.0.1,10.1.0.0/16', 'loopback,uniquelocal']) {
      const port = await mirror(setting);
      const { ip } = await ask(port, { 'x-forwarded-for': '192.0.2.1, 203.0.113.9, 10.1.2.3' });
      assert.equal(ip, '203.0.113.9', setting);
    }
    // The client reaches the inner proxy directly and says that it is a chain.
    const port = await mirror('127.0.0.1,10.1.0.0/16');
    assert.equal((await ask(port, { 'x-forwarded-for': '192.0.2.1, 10.9.9.9' })).ip, '10.9.9.9');
  });

  test('over IPv6', async () => {
    const forged = { 'x-forwarded-for': '192.0.2.1, 2001:db8::9' };
    for (const setting of ['1', '::1', 'loopback']) {
      assert.equal((await ask(await mirror(setting), forged, '::1')).ip, '2001:db8::9', setting);
    }
    assert.equal((await ask(await mirror('127.0.0.1'), forged, '::1')).ip, '::1');
  });
});

test('from a machine that is no proxy of ours nothing is believed, nor when there is no proxy', async () => {
  const others = {
    'x-forwarded-for': '192.0.2.1',
    forwarded: 'for=192.0.2.1;proto=https;host=evil.example',
    'x-real-ip': '192.0.2.1',
    'x-client-ip': '192.0.2.1',
    'true-client-ip': '192.0.2.1',
    'cf-connecting-ip': '192.0.2.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
    host: 'carillon.example',
  };
  for (const setting of ['off', '10.0.0.0/8', '127.0.0.2', 'linklocal']) {
    const seen = await ask(await mirror(setting), others);
    assert.match(seen.ip, /^(::ffff:)?127\.0\.0\.1$/, setting);
    assert.deepEqual([seen.protocol, seen.host], ['http', 'carillon.example'], setting);
  }
  // A proxy is asked for one header alone.
  const { 'x-forwarded-for': _, ...rest } = others;
  assert.match((await ask(await mirror('loopback'), rest)).ip, /^(::ffff:)?127\.0\.0\.1$/);
});

test('a number of proxies holds only for a peer inside: a public one may be anybody', () => {
  const { trusts } = readTrustedProxies('2')!;
  assert.deepEqual(
    ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', '::ffff:192.168.1.1'].map((peer) => trusts(peer, 0)),
    [true, true, true, true, true],
  );
  assert.deepEqual(
    ['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', ''].map((peer) => trusts(peer, 0)),
    [false, false, false, false],
  );
  assert.deepEqual([trusts('8.8.8.8', 1), trusts('10.0.0.1', 2)], [true, false]);
});

test('a setting that would trust everybody is refused, with what to write instead', () => {
  for (const value of ['on', 'true', 'yes', 'all', '*', '0.0.0.0/0', '::/0', '0', '11', '-1']) {
    assert.throws(
      () => readConfig({ TRUST_PROXY: value }, channels),
      (error: unknown) =>
        error instanceof ConfigError && /the number of proxies in front|its address/.test(error.message),
      value,
    );
  }
  for (const value of [
    '10.0.0.0/33',
    '10.0.0',
    '10.0.0.1/8/8',
    'proxy.example',
    '127.1',
    '::ffff:10.0.0.0/64',
  ]) {
    assert.throws(() => readConfig({ TRUST_PROXY: value }, channels), ConfigError, value);
  }
  assert.throws(() => readConfig({ TRUST_PROXY: 'on' }, channels), /for one proxy in front write 1/);
});

test('spellings', () => {
  const spellings: [given: string, read: string][] = [
    ['192.0.2.1:80', '192.0.2.1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0300.0.2.1', ''],
    ['3221225985', ''],
    ['for=192.0.2.1', ''],
    ['192.0.2.1;proto=https', ''],
  ];
  for (const [given, read] of spellings) assert.equal(normaliseForwardedFor(given), read, given);
});

{
  const service = await startTestService({
    sandbox: false,
    settings: { TRUST_PROXY: '1', RATE_LIMIT_ADDRESS: '20', RATE_LIMIT_ACCOUNT: '0' },
  });

  describe('behind one proxy', () => {
    /** What the proxy sends when a client at `real` writes `forged`. */
    const passedOn = (forged: string, real: string) => ({ 'x-forwarded-for': `${forged}, ${real}` });

    test('the allow list of an account is not passed by writing an address of it', async () => {
      const { username, token } = await service.addAccount({
        username: 'fenced',
        addresses: ['192.0.2.0/24'],
      });
      const status = async (headers: Record<string, string>) =>
        (await service.call('json', 'balance', { user: { username } }, { token, headers })).status;
      assert.equal(await status(passedOn('203.0.113.1', '192.0.2.7')), 0);
      assert.equal(await status(passedOn('192.0.2.7', '203.0.113.1')), 3);
      assert.equal(await status({ ...passedOn('192.0.2.7', '203.0.113.1'), forwarded: 'for=192.0.2.7' }), 3);
      assert.equal(await status({ 'x-real-ip': '192.0.2.7' }), 3);
    });

    test('the rate limit of an address is not passed by writing another one each time', async () => {
      const crowd = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          service.post('x', { token: null, headers: passedOn(`192.0.2.${n}`, '203.0.113.2') }),
        ),
      );
      assert.ok(crowd.some((answer) => answer.http === 429));
    });

    test('the login throttle of an address is not passed by writing another one each time', async () => {
      await addPerson(service, 'target', 'operator', null);
      let n = 0;
      await waitFor('a pause for the address', async () => {
        n++;
        const browser = new Browser(service.url, passedOn(`192.0.2.${n % 250}`, '203.0.113.3'));
        // Another user name each time, so that it is the address that is counted.
        const answer = await browser.call('POST', '/session', { username: `nobody-${n}`, password: 'wrong' });
        // Not the rate limit's "too many requests", which most of the attempts get.
        return answer.status === 429 && /attempts/.test(await answer.text());
      });
      const elsewhere = new Browser(service.url, passedOn('203.0.113.3', '203.0.113.4'));
      assert.equal(await elsewhere.signIn('target', PASSWORD), '200');
    });
  });
}
