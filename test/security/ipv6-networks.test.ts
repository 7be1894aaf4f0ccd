import assert from 'node:assert/strict';
import { Server } from 'node:http';
import { Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { limitConnections } from '../../server/api/http-connections.ts';
import { MissLimit } from '../../server/api/public-pages/miss-limit.ts';
import { networkOf } from '../../server/kit/http/addresses.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * An attacker with one host on IPv6: it has 2^64 addresses of its own, a new one for each request. Whatever is counted by
 * address counts its network.
 */

const LIMIT = 10;
const service = await startTestService({
  sandbox: false,
  settings: { RATE_LIMIT_ADDRESS: String(LIMIT), TRUST_PROXY: 'loopback' },
});

/** The n-th address of a network of 64 bits. */
const addressIn = (network: string, n: number) => `${network}:${(n + 1).toString(16)}:0:beef:1`;

/** The statuses of many requests at once, each from an address of its own in a network. */
async function flood(method: string, path: string, network: string): Promise<number[]> {
  return Promise.all(
    Array.from({ length: 3 * LIMIT }, async (_, n) => {
      const headers = { 'x-forwarded-for': addressIn(network, n), authorization: 'Bearer wrong' };
      const answer = await fetch(service.url + path, { method, headers });
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
}

describe('requests from many addresses of one /64', () => {
  for (const [index, [method, path]] of (
    [
      ['POST', '/api'],
      ['POST', '/chat-api/send-buttons'],
      ['POST', '/api/Mailer/CreateMalingList'],
      ['GET', '/v1/contact-lists'],
    ] as const
  ).entries()) {
    test(`${method} ${path} counts them as one client`, async () => {
      const statuses = await flood(method, path, `2001:db8:${index}:1`);
      assert.ok(statuses.includes(429), statuses.join());
      const other = { 'x-forwarded-for': addressIn(`2001:db8:${index}:2`, 0), authorization: 'Bearer wrong' };
      const neighbour = await fetch(service.url + path, { method, headers: other });
      assert.notEqual(neighbour.status, 429, 'another network has its own count');
    });
  }

  test('guessed passwords of one /64 are slowed down together, whatever names they try', async () => {
    const attempt = async (n: number) => {
      const answer = await fetch(`${service.url}/v1/session`, {
        method: 'POST',
        headers: {
          'x-forwarded-for': addressIn('2001:db8:a:1', n),
          'x-carillon-csrf': '1',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ username: `nobody-${n}`, password: 'a wrong password' }),
      });
      return ((await answer.json()) as { error: { code: string; message: string } }).error;
    };
    let tried = 0;
    await waitFor('the pause', async () => {
      const { code, message } = await attempt(tried++);
      return code === 'too-fast' && message === 'too many attempts failed, try again later';
    });
  });

  test('guessed links of one /64 are stopped together', () => {
    const missLimit = new MissLimit();
    for (let n = 0; n < 60; n++) missLimit.missed(addressIn('2001:db8:b:1', n));
    assert.ok(missLimit.stops(addressIn('2001:db8:b:1', 999)));
    assert.ok(!missLimit.stops(addressIn('2001:db8:b:2', 0)));
    assert.ok(!missLimit.stops('192.0.2.1'));
  });
});

test('connections from one /64 are counted together', () => {
  const server = new Server();
  limitConnections(server, { total: 0, perAddress: 2 });
  // No machine of a test has two addresses of one network: sockets that say they come from there.
  const connected = (remoteAddress: string) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    server.emit('connection', socket);
    after(() => socket.destroy());
    return socket;
  };
  const [first, second, third] = [0, 1, 2].map((n) => connected(addressIn('2001:db8:c:1', n)));
  assert.deepEqual([first!.destroyed, second!.destroyed, third!.destroyed], [false, false, true]);
  assert.equal(connected(addressIn('2001:db8:c:2', 0)).destroyed, false);
});

test('what clients are counted by', () => {
  for (const [address, counted] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
    ['2001:DB8::1:aaaa:bbbb:cccc:dddd', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not an address', 'not an address'],
    ['x'.repeat(5_000), 'x'.repeat(100)],
    [`${':'.repeat(5_000)}`, ':'.repeat(100)],
  ] as const) {
    assert.equal(networkOf(address), counted);
  }
});
