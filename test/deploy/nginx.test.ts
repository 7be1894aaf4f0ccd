import assert from 'node:assert/strict';
import { type RequestOptions, request } from 'node:https';
import { test } from 'node:test';
import { freePort } from '../support/haproxy.ts';
import { nginxPorts, startNginx } from '../support/nginx.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* deploy/nginx/carillon.conf in Debian's nginx, in front of a service with the settings that the file names. */

const ports = await nginxPorts();
const PORT = String(await freePort());
await startTestService({
  settings: { PORT, PUBLIC_URL: `https://localhost:${ports.port}`, TRUST_PROXY: '127.0.0.1' },
});
const nginx = await startNginx(`127.0.0.1:${PORT}`, ports);
const MIB = 1024 * 1024;

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request over TLS; `onText` gets the answer as it comes, and the answer ends when it returns true. */
function call(
  path: string,
  { body, onText, ...options }: RequestOptions & { body?: string; onText?: (text: string) => boolean } = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: 'localhost', port: nginx.port, path, ca: nginx.authority, agent: false, family: 4, ...options },
      (response) => {
        let text = '';
        const done = () => resolve({ status: response.statusCode!, headers: response.headers, text });
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (!onText?.(text)) return;
          done();
          sent.destroy();
        });
        response.on('end', done);
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
const authorization = `Bearer ${DEMO_TOKEN}`;
const sms = (to: string) =>
  JSON.stringify({
    sms: { user: { username: 'demo' }, source: 'Shop', destinations: { phone: to }, message: 'Hello' },
  });

test('requests arrive over TLS, and readiness is asked through the proxy', async () => {
  const { status, headers } = await call('/readyz');
  assert.equal(status, 200);
  assert.match(String(headers['strict-transport-security']), /max-age=/);
  const phone = newPhone();
  const answer = await call('/api', { method: 'POST', headers: { authorization }, body: sms(phone) });
  assert.equal((JSON.parse(answer.text) as { status: number }).status, 0, answer.text);
  await waitFor('the message arrives', async () => {
    const { text } = await call(`/v1/sandbox/phones/${phone}`, { headers: { authorization } });
    return (JSON.parse(text) as { sms: unknown[] }).sms.length === 1;
  });
});

test('the service sees the address of the client, whatever the client says of it', async () => {
  const forged = {
    'x-forwarded-for': '203.0.113.9',
    'x-real-ip': '203.0.113.9',
    forwarded: 'for=203.0.113.9',
  };
  const { headers } = await call('/v1/account', {
    headers: { authorization, ...forged },
    localAddress: '127.0.0.2',
  });
  const row = await waitFor('the request is in the log', async () => {
    const { text } = await call('/v1/request-log', { headers: { authorization } });
    const { requests } = JSON.parse(text) as { requests: { request_id: string; address: string }[] };
    return requests.find(({ request_id: id }) => id === headers['x-request-id']);
  });
  assert.equal(row.address, '127.0.0.2');
});

test('an event stream is not buffered', async () => {
  const phone = newPhone();
  let sent = false;
  const { text, headers } = await call(`/v1/live?phones=${phone}`, {
    headers: { authorization },
    onText(read) {
      // The first line comes while nothing else is to be sent; what is sent then comes while the stream is open.
      if (!sent) {
        sent = true;
        void call('/api', { method: 'POST', headers: { authorization }, body: sms(phone) });
      }
      return read.includes('event: ');
    },
  });
  assert.match(text, /^retry: 1000\n\n/);
  assert.match(String(headers['content-type']), /^text\/event-stream/);
});

test('the service decides on large bodies', async () => {
  const post = (bytes: number, headers: Record<string, string> = {}) =>
    call('/api', { method: 'POST', headers, body: `{"balance":"${'x'.repeat(bytes)}"}` });
  const anonymous = await post(MIB);
  assert.equal(anonymous.status, 413);
  assert.match(String(anonymous.headers['content-type']), /json/);
  // More than the 1 MiB that nginx takes without a setting.
  const large = await post(2 * MIB, { authorization });
  assert.equal(large.status, 200);
  assert.match(large.text, /"status":/);
  const tooLarge = await post(11 * MIB, { authorization });
  assert.equal(tooLarge.status, 413);
  assert.match(tooLarge.text, /over 10 MiB/);
});

test('plain HTTP redirects pages, and refuses what has a token or a body', async () => {
  const plain = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${nginx.plainPort}${path}`, { redirect: 'manual', ...init });
  const page = await plain('/login?next=%2F', { headers: { host: 'other.example' } });
  assert.equal(page.status, 301);
  assert.equal(page.headers.get('location'), `https://localhost:${nginx.port}/login?next=%2F`);
  assert.equal((await plain('/v1/account', { headers: { authorization } })).status, 403);
  assert.equal((await plain('/api', { method: 'POST', body: sms(newPhone()) })).status, 403);
});

test('the access log has the id of a request, and no path', async () => {
  const phone = newPhone();
  const { headers } = await call(`/v1/messages?phone=${phone}`, { headers: { authorization } });
  const log = await waitFor('the line is in the log', async () => {
    const text = await nginx.accessLog();
    return text.includes(String(headers['x-request-id'])) && text;
  });
  assert.doesNotMatch(log, /\/v1|\/api/);
  assert.ok(!log.includes(phone));
});
