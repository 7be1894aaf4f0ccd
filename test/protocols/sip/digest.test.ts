import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Authenticator } from '../../../server/protocols/sip/authenticator.ts';
import {
  authorization,
  chooseChallenge,
  digestResponse,
  parseDigest,
} from '../../../server/protocols/sip/digest.ts';
import { Headers, writeResponse } from '../../../server/protocols/sip/message.ts';
import { parseMessage } from '../../../server/protocols/sip/parser.ts';

const mufasa = { username: 'Mufasa', password: 'Circle of Life' };

// RFC 7616, 3.9.1.
for (const [algorithm, response] of [
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
] as const) {
  test(`the example of RFC 7616 with ${algorithm}`, () => {
    const challenge = parseDigest(
      `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
    )!;
    const request = {
      method: 'GET',
      uri: '/dir/index.html',
      count: 1,
      cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    };
    assert.equal(digestResponse(challenge, mufasa, request), response);
    const given = parseDigest(authorization(challenge, mufasa, request))!;
    assert.deepEqual(Object.fromEntries(given), {
      username: 'Mufasa',
      realm: 'http-auth@example.org',
      nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
      uri: '/dir/index.html',
      response,
      algorithm,
      qop: 'auth',
      nc: '00000001',
      cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
      opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
    });
  });
}

test('the example of RFC 2617 without qop is that of RFC 2069', () => {
  // RFC 2069, 2.4, as erratum 749 has it.
  const challenge = parseDigest(
    'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
  )!;
  const request = { method: 'GET', uri: '/dir/index.html', count: 1 };
  const credentials = { username: 'Mufasa', password: 'CircleOfLife' };
  assert.equal(digestResponse(challenge, credentials, request), '1949323746fe6a43ef61f9606e7febea');
});

test('the first challenge that can be answered is', () => {
  const lines = [
    'Basic realm="a"',
    'Digest realm="a", nonce="0", algorithm=NEW-HASH, qop="auth"',
    'Digest realm="a", nonce="1", algorithm=SHA-256, qop="auth-int"',
    'Digest realm="a", nonce="2", algorithm=SHA-256, qop="auth-int,auth"',
    'Digest realm="b", nonce="3", algorithm=MD5',
  ];
  assert.equal(chooseChallenge(lines)?.get('nonce'), '2');
  assert.equal(chooseChallenge(lines, 'b')?.get('nonce'), '3');
  assert.equal(chooseChallenge(lines, 'c'), undefined);
});

function challenged(status: number, line: string) {
  const headers = new Headers()
    .add('Via', 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1')
    .add('From', '<sip:a@b>;tag=1')
    .add('To', '<sip:a@b>')
    .add('Call-ID', '1')
    .add('CSeq', '1 INVITE');
  if (line !== '') headers.add(status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate', line);
  const response = parseMessage(writeResponse(status, headers));
  assert.ok(response.kind === 'response');
  return response;
}

test('credentials that were refused are not shown again, a nonce that is too old is replaced', () => {
  const auth = new Authenticator(mufasa);
  assert.deepEqual(auth.prepared('INVITE', 'sip:b'), []);
  assert.equal(auth.learn(challenged(407, 'Digest realm="r", nonce="1", qop="auth"')), true);
  const [[name, value]] = auth.prepared('INVITE', 'sip:b') as [[string, string]];
  assert.equal(name, 'Proxy-Authorization');
  assert.match(value, /nonce="1".*nc=00000001/);
  assert.equal(auth.learn(challenged(407, 'Digest realm="r", nonce="2", qop="auth"')), false);
  assert.equal(auth.learn(challenged(407, 'Digest realm="r", nonce="3", qop="auth", stale=true')), true);
  assert.match(auth.prepared('INVITE', 'sip:b')[0]![1], /nonce="3".*nc=00000001/);
  // Let through: later requests use the nonce on, and a new one is no refusal.
  assert.equal(auth.learn(challenged(200, '')), false);
  assert.match(auth.prepared('BYE', 'sip:b')[0]![1], /nonce="3".*nc=00000002/);
  assert.equal(auth.learn(challenged(407, 'Digest realm="r", nonce="4", qop="auth"')), true);
});
