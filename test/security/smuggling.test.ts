import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { sendRaw, statusesIn } from './attack.ts';

/*
 * Two readers of one connection who disagree where a request ends: what one takes for a body, the other takes for the
 * next request. A request that can be read in two ways is refused, and its connection is closed.
 */

const service = await startTestService();
const { url } = service;
const { host } = new URL(url);

const CRLF = '\r\n';
const lines = (...all: string[]) => all.join(CRLF);
const auth = `Authorization: Bearer ${DEMO_TOKEN}`;
const body = '{"balance": {"user": {"username": "demo"}}}';
/** What the attacker wants to be taken for a request of its own. */
const smuggled = lines('GET /smuggled HTTP/1.1', `Host: ${host}`, '', '');

/** Sends bytes; the last thing that is wanted is that the smuggled request is answered. */
async function answersTo(bytes: string | Buffer): Promise<number[]> {
  const said = await sendRaw(url, bytes, (text) => statusesIn(text).length > 1);
  assert.doesNotMatch(said, /\/smuggled/, 'the smuggled request was answered');
  return statusesIn(said);
}

/** Refused, with nothing after it on the connection. */
async function refused(...head: string[]): Promise<void> {
  const bytes = `${lines(...head)}${CRLF}${CRLF}${smuggled}`;
  const statuses = await answersTo(bytes);
  assert.ok(statuses.length <= 1, `${statuses.join()} to ${head.join(' | ')}`);
  for (const status of statuses) {
    assert.ok(
      status === 400 || status === 501 || status === 405 || status === 431,
      `${status} to ${head.join(' | ')}`,
    );
  }
}

const post = ['POST /api HTTP/1.1', `Host: ${host}`, auth];

test('an honest request is answered, and the next one on its connection, too', async () => {
  const one = lines(...post, `Content-Length: ${body.length}`, '', body);
  const last = lines(...post, 'Connection: close', `Content-Length: ${body.length}`, '', body);
  assert.deepEqual(statusesIn(await sendRaw(url, one + last)), [200, 200]);
  const chunked = lines(
    ...post,
    'Transfer-Encoding: chunked',
    'Connection: close',
    '',
    body.length.toString(16),
    body,
    '0',
    '',
    '',
  );
  assert.deepEqual(statusesIn(await sendRaw(url, chunked)), [200]);
});

describe('by two lengths', () => {
  test('CL.TE and TE.CL: a length and chunks', async () => {
    for (const fields of [
      ['Content-Length: 6', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked', 'Content-Length: 6'],
      ['Content-Length: 0', 'Transfer-Encoding: chunked'],
    ]) {
      await refused(...post, ...fields, '', '0', '');
    }
  });

  test('CL.CL: two lengths that differ, or the same one twice', async () => {
    for (const fields of [
      ['Content-Length: 5', `Content-Length: ${body.length}`],
      [`Content-Length: ${body.length}`, 'Content-Length: 5'],
      ['Content-Length: 5, 6'],
      ['Content-Length: 0', 'Content-Length: 0'],
    ]) {
      await refused(...post, ...fields);
    }
  });

  test('invalid lengths', async () => {
    for (const length of [
      '-1',
      '+5',
      '0x10',
      '1e3',
      '5 6',
      '5;',
      '1.5',
      '',
      ' ',
      '٣',
      '99999999999999999999999',
    ]) {
      await refused(...post, `Content-Length: ${length}`);
    }
  });
});

describe('by chunks that one reader does not see', () => {
  test('TE.TE: the field in spellings that one of two readers passes over', async () => {
    for (const field of [
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding : chunked',
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding: identity, chunked, gzip',
      'Transfer-Encoding:\u000bchunked',
      'Transfer-Encoding: "chunked"',
      'Transfer-Encoding: chunke\u0000d',
      'X: x\nTransfer-Encoding: chunked',
      ' Transfer-Encoding: chunked',
      'Transfer_Encoding: chunked\r\nContent-Length: 4\r\nContent-Length: 5',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
      'Transfer-\r\n Encoding: chunked',
    ]) {
      await refused(...post, field, 'Content-Length: 6');
      await refused(...post, 'Content-Length: 6', field);
    }
  });

  test('sizes of chunks that are invalid or too large', async () => {
    for (const chunk of [
      `-1${CRLF}x`,
      `+5${CRLF}hello`,
      `0x5${CRLF}hello`,
      `5 ${CRLF}hello`,
      `g${CRLF}x`,
      `ffffffffffffffffff${CRLF}x`,
      `5${CRLF}hellox${CRLF}`,
      '5\nhello',
      '5\rhello',
      `;${CRLF}x`,
    ]) {
      await refused(...post, 'Transfer-Encoding: chunked', '', `${chunk}${CRLF}0${CRLF}`);
    }
  });

  test('fields after the last chunk change nothing', async () => {
    const chunked = lines(
      ...post.slice(0, 2),
      'Transfer-Encoding: chunked',
      'Trailer: Authorization',
      'Connection: close',
      '',
      body.length.toString(16),
      body,
      '0',
      auth,
      'Host: evil.example',
      '',
      '',
    );
    const said = await sendRaw(url, chunked);
    assert.deepEqual(statusesIn(said), [200]);
    assert.match(said, /"status":3/, 'a token in a trailer signs nobody in');
  });
});

describe('by lines that end in another way', () => {
  test('bare LF, bare CR, NUL and folded lines in the head', async () => {
    for (const head of [
      [`POST /api HTTP/1.1\nHost: ${host}\nContent-Length: 0\n`],
      [...post, 'X: a\rTransfer-Encoding: chunked', 'Content-Length: 0'],
      [...post, 'X: a\u0000b', 'Content-Length: 0'],
      [...post, 'X: a', ' folded: b', 'Content-Length: 0'],
      [...post, 'X : a', 'Content-Length: 0'],
      [...post, ': a', 'Content-Length: 0'],
      [...post, 'no colon', 'Content-Length: 0'],
      [...post, 'Conténu: a', 'Content-Length: 0'],
    ]) {
      const bytes = Buffer.from(`${lines(...head)}${CRLF}${CRLF}${smuggled}`, 'latin1');
      const statuses = await answersTo(bytes);
      assert.ok(
        statuses.every((status) => status === 400) && statuses.length <= 1,
        `${head.at(-2)}: ${statuses}`,
      );
    }
  });

  test('invalid request lines', async () => {
    for (const line of [
      'GET / HTTP/1.1 ',
      'GET / HTTP/9.9',
      'GET /\u0000 HTTP/1.1',
      'G ET / HTTP/1.1',
      'GET\t/\tHTTP/1.1',
      'PRI * HTTP/2.0',
      'GET / HTTP/1.1\rX: y',
      'GET /a b HTTP/1.1',
    ]) {
      const statuses = await answersTo(`${line}${CRLF}Host: ${host}${CRLF}${CRLF}${smuggled}`);
      assert.ok(
        statuses.length <= 1 && statuses.every((status) => status === 400 || status === 505),
        `${line}: ${statuses}`,
      );
    }
  });

  test('a host twice, or none', async () => {
    await refused('GET / HTTP/1.1', `Host: ${host}`, 'Host: evil.example');
    await refused('GET / HTTP/1.1', 'X: y');
  });
});

describe('by methods and addresses for a proxy', () => {
  test('an absolute address is this service, whatever host it names, and nothing is called', async () => {
    for (const target of [
      'http://evil.example/healthz',
      'http://169.254.169.254/healthz',
      '//evil.example/healthz',
    ]) {
      const said = await sendRaw(
        url,
        lines(`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', '', ''),
      );
      const [status] = statusesIn(said);
      assert.ok(status === 200 || status === 400 || status === 404, `${target}: ${said.slice(0, 200)}`);
      assert.doesNotMatch(said, /location: .*evil/i);
    }
  });

  test('CONNECT, TRACE and methods that nobody knows', async () => {
    for (const line of [
      'CONNECT 169.254.169.254:80 HTTP/1.1',
      'CONNECT evil.example:443 HTTP/1.1',
      'TRACE / HTTP/1.1',
      'TRACK / HTTP/1.1',
      'DEBUG / HTTP/1.1',
      'PROPFIND / HTTP/1.1',
      'SOURCE / HTTP/1.1',
    ]) {
      const said = await sendRaw(
        url,
        lines(line, `Host: ${host}`, 'X-Secret: told-back', 'Connection: close', '', ''),
      );
      const [status] = statusesIn(said);
      assert.ok(status === undefined || status >= 400, `${line}: ${status}`);
      assert.doesNotMatch(said, /told-back/, 'a request is not sent back');
    }
  });

  test('an upgrade that nobody offers: the connection stays HTTP/1.1', async () => {
    for (const upgrade of ['websocket', 'h2c']) {
      const said = await sendRaw(
        url,
        lines(
          'GET /healthz HTTP/1.1',
          `Host: ${host}`,
          `Upgrade: ${upgrade}`,
          'Connection: Upgrade, HTTP2-Settings, close',
          'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
          'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
          'Sec-WebSocket-Version: 13',
          '',
          '',
        ),
        (text) => statusesIn(text).length > 0,
      );
      assert.notEqual(statusesIn(said)[0], 101);
    }
  });
});

describe('by what is written into an answer', () => {
  test('line breaks in paths, queries and fields start no header of an answer', async () => {
    const evil = '%0d%0aSet-Cookie:%20carillon_session=evil%0d%0aX-Evil:%20yes';
    for (const path of [
      `/${evil}`,
      `/l/${evil}`,
      `/u/${evil}`,
      `/v/${evil}`,
      `/docs?x=${evil}`,
      `/contact?tel=${evil}`,
      `/contact?mail=a@b.c${evil}`,
      `/v1/${evil}`,
      `/v1/overview?username=${evil}`,
      `/chat-api/get-phone-templates/${evil}`,
      `/chat-webhooks?hub.mode=subscribe&hub.verify_token=x&hub.challenge=${evil}`,
      `/assets/${evil}`,
    ]) {
      const answer = await fetch(url + path, {
        redirect: 'manual',
        headers: { authorization: `Bearer ${DEMO_TOKEN}` },
      });
      await answer.body?.cancel();
      assert.equal(answer.headers.get('x-evil'), null, path);
      assert.equal(answer.headers.get('set-cookie'), null, path);
    }
  });

  test('the Host header is in no link that is stored or sent', async () => {
    const phone = '0500019999';
    const request = JSON.stringify({
      sms: {
        user: { username: 'demo' },
        source: 'Shop',
        destinations: { phone },
        message: 'Look: [link-1]',
        links: { link: { $: { id: '1' }, _: 'https://example.com/' } },
        add_unsubscribe: 3,
      },
    });
    const said = await sendRaw(
      url,
      lines(
        'POST /api HTTP/1.1',
        'Host: evil.example',
        'X-Forwarded-Host: evil.example',
        'X-Forwarded-Proto: https',
        'Forwarded: host=evil.example',
        'X-Original-URL: /evil',
        auth,
        'Connection: close',
        `Content-Length: ${request.length}`,
        '',
        request,
      ),
    );
    assert.match(said, /"status":0/);
    const [sms] = await waitFor('the SMS', async () => {
      const arrived = await service.phone(phone);
      return arrived.length > 0 && arrived;
    });
    assert.doesNotMatch(sms!.text, /evil/);
    assert.ok(sms!.text.includes(new URL(url).host), sms!.text);
  });

  test('a Host that is no host is in no page', async () => {
    for (const evil of [
      'evil.example/"><script>alert(1)</script>',
      '"onload=alert(1)',
      'evil host',
      "';alert(1)//",
    ]) {
      const said = await sendRaw(
        url,
        lines('GET /docs HTTP/1.1', `Host: ${evil}`, 'Connection: close', '', ''),
      );
      assert.ok(!said.includes(evil), evil);
    }
  });
});

test('heads without end are cut off', async () => {
  for (const head of [
    `GET / HTTP/1.1${CRLF}Host: ${host}${CRLF}X: ${'a'.repeat(100_000)}`,
    `GET /${'a'.repeat(100_000)} HTTP/1.1`,
    `GET / HTTP/1.1${CRLF}Host: ${host}${CRLF}${`X: y${CRLF}`.repeat(20_000)}`,
  ]) {
    const statuses = statusesIn(await sendRaw(url, `${head}${CRLF}${CRLF}`));
    assert.ok(
      statuses.every((status) => status === 431 || status === 414 || status === 400),
      `${statuses}`,
    );
  }
});
