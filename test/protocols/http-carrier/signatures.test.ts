import assert from 'node:assert/strict';
import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import { SignJWT } from 'jose';
import { signatureScheme } from '../../../server/protocols/http-carrier/signature-settings.ts';
import { isSigned, type SignedRequest } from '../../../server/protocols/http-carrier/signatures.ts';
import { signatureOf } from '../../../server/protocols/http-carrier/twilio-signature.ts';

const now = 1_800_000_000_000;
const seconds = String(now / 1_000);
const url = 'https://messages.example/carrier-requests/one/secret/reports?a=1';
const body = Buffer.from('{"id":"ש"}');
const secrets = { key: 'a secret', user: 'me', password: 'pw' };
const hmac = (content: string | Buffer, key: string | Buffer = secrets.key, algorithm = 'sha256') =>
  createHmac(algorithm, key).update(content).digest();
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest();

type Headers = Readonly<Record<string, string>>;
const check = (
  scheme: object,
  headers: Headers,
  over: Partial<SignedRequest> = {},
  given: Headers = secrets,
) => isSigned({ method: 'POST', url, body, now, headers, ...over }, signatureScheme.parse(scheme), given);

/** Checks that a right request is accepted, and that changes of each header, the body, the address and the key are not. */
async function checkScheme(
  scheme: object,
  headers: Headers,
  {
    over = {},
    signs = ['body', 'url'],
    given = secrets,
  }: {
    over?: Partial<SignedRequest>;
    signs?: readonly ('body' | 'url')[];
    given?: Headers;
  } = {},
) {
  assert.ok(await check(scheme, headers, over, given), 'the right request');
  for (const name of Object.keys(headers).filter((one) => one !== 'content-type')) {
    const { [name]: value, ...rest } = headers;
    assert.ok(!(await check(scheme, rest, over, given)), `without ${name}`);
    assert.ok(!(await check(scheme, { ...rest, [name]: `${value}x` }, over, given)), `another ${name}`);
    assert.ok(!(await check(scheme, { ...rest, [name]: '' }, over, given)), `an empty ${name}`);
  }
  const other = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, `x${value}`]));
  assert.ok(!(await check(scheme, headers, over, other)), 'another key');
  if (signs.includes('body')) {
    const changed = Buffer.concat([over.body ?? body, Buffer.from('&x=1')]);
    assert.ok(!(await check(scheme, headers, { ...over, body: changed }, given)), 'another body');
  }
  if (signs.includes('url'))
    assert.ok(!(await check(scheme, headers, { ...over, url: url.replace('one', 'two') }, given)));
}

/** Checks that a request is refused when its time is more than the limit from now. */
async function checkAge(scheme: object, headers: Headers, given: Headers = secrets) {
  for (const offset of [-290_000, 290_000])
    assert.ok(await check(scheme, headers, { now: now + offset }, given));
  for (const offset of [-310_000, 310_000])
    assert.ok(!(await check(scheme, headers, { now: now + offset }, given)));
  assert.ok(!(await check({ ...scheme, maxAge: 60 }, headers, { now: now + 61_000 }, given)));
}

describe('signatures', () => {
  test('twilio signs the address and the fields of a form', async () => {
    const form = { MessageSid: 'SM1', MessageStatus: 'delivered', Body: 'a+b & ש' };
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signatureOf(secrets.key, url, form),
    };
    const over = { body: Buffer.from(new URLSearchParams(form).toString()) };
    await checkScheme({ scheme: 'twilio', secret: 'key' }, headers, { over });
  });

  test('twilio signs another body by its hash in the address', async () => {
    const signed = `${url}&bodySHA256=${sha256(body).toString('hex')}`;
    const headers = {
      'content-type': 'application/json',
      'x-twilio-signature': signatureOf(secrets.key, signed, {}),
    };
    const scheme = { scheme: 'twilio', secret: 'key' };
    assert.ok(await check(scheme, headers, { url: signed }));
    assert.ok(!(await check(scheme, headers, { url: signed, body: Buffer.from('{}') })));
    const bare = { ...headers, 'x-twilio-signature': signatureOf(secrets.key, url, {}) };
    assert.ok(!(await check(scheme, bare)), 'without the hash');
  });

  test('plivo signs the address without its query, and a nonce', async () => {
    const nonce = '05429567804466091622';
    const signature = hmac(url.split('?')[0] + nonce).toString('base64');
    const scheme = { scheme: 'plivo', secret: 'key' };
    const headers = { 'x-plivo-signature-v2': signature, 'x-plivo-signature-v2-nonce': nonce };
    await checkScheme(scheme, headers, { signs: ['url'] });
    const main = { 'x-plivo-signature-ma-v2': signature, 'x-plivo-signature-v2-nonce': nonce };
    assert.ok(await check(scheme, main));
  });

  test('sinch signs the body, a nonce and the time', async () => {
    const nonce = '01FJA8B4A7BM43YGWSG9GBV067';
    const signed = Buffer.concat([body, Buffer.from(`.${nonce}.${seconds}`)]);
    const headers = {
      'x-sinch-webhook-signature': hmac(signed).toString('base64'),
      'x-sinch-webhook-signature-nonce': nonce,
      'x-sinch-webhook-signature-timestamp': seconds,
    };
    const scheme = { scheme: 'sinch', secret: 'key' };
    await checkScheme(scheme, headers, { signs: ['body'] });
    await checkAge(scheme, headers);
  });

  test('messagebird signs the time, the address and the hash of the body', async () => {
    const signed = Buffer.concat([Buffer.from(`${seconds}\n${url}\n`), sha256(body)]);
    const headers = {
      'messagebird-signature': hmac(signed).toString('base64'),
      'messagebird-request-timestamp': seconds,
    };
    const scheme = { scheme: 'messagebird', secret: 'key' };
    await checkScheme(scheme, headers);
    await checkAge(scheme, headers);
  });

  test('hmac signs the pieces of its description', async () => {
    const plain = { scheme: 'hmac', secret: 'key', header: 'x-signature', prefix: 'sha256=' };
    await checkScheme(plain, { 'x-signature': `sha256=${hmac(body).toString('hex')}` }, { signs: ['body'] });
    const timed = {
      ...{ scheme: 'hmac', secret: 'key', header: 'x-signature', algorithm: 'sha512', encoding: 'base64' },
      ...{ timestamp: 'x-time', signed: [{ header: 'x-time' }, { text: ':' }, 'url', 'body-sha256-hex'] },
    };
    const signed = `${seconds}:${url}${sha256(body).toString('hex')}`;
    const headers = {
      'x-signature': hmac(signed, secrets.key, 'sha512').toString('base64'),
      'x-time': seconds,
    };
    await checkScheme(timed, headers);
    await checkAge(timed, headers);
  });

  test('hmac verifies one of several Standard Webhooks signatures', async () => {
    const scheme = {
      ...{ scheme: 'hmac', secret: 'key', header: 'webhook-signature', prefix: 'v1,', encoding: 'base64' },
      ...{ key: 'standard-webhooks', timestamp: 'webhook-timestamp' },
      signed: [{ header: 'webhook-timestamp' }, { text: '.' }, 'body'],
    };
    const key = Buffer.from('a key of 24 bytes or more');
    const given = { key: `whsec_${key.toString('base64')}` };
    const right = hmac(Buffer.concat([Buffer.from(`${seconds}.`), body]), key).toString('base64');
    const headers = { 'webhook-timestamp': seconds, 'webhook-signature': `v1,b2xk v1,${right}` };
    assert.ok(await check(scheme, headers, {}, given));
    assert.ok(!(await check(scheme, { ...headers, 'webhook-signature': `v1,b2xk ${right}` }, {}, given)));
    await checkAge(scheme, headers, given);
  });

  test('an unsigned time is no protection, so the description is refused', () => {
    const result = signatureScheme.safeParse({
      scheme: 'hmac',
      secret: 'key',
      header: 'x-s',
      timestamp: 'x-time',
    });
    assert.match(result.error!.issues[0]!.message, /among the signed pieces/);
  });

  test('jwt-body-hash verifies a token with the hash of the body', async () => {
    const token = (hash: unknown, algorithm = 'HS256') =>
      new SignJWT({ payload_hash: hash })
        .setProtectedHeader({ alg: algorithm })
        .setIssuedAt(now / 1_000)
        .sign(Buffer.from(secrets.key));
    const scheme = { scheme: 'jwt-body-hash', secret: 'key' };
    const right = `Bearer ${await token(sha256(body).toString('hex'))}`;
    await checkScheme(scheme, { authorization: right }, { signs: ['body'] });
    assert.ok(!(await check(scheme, { authorization: right }, { now: now + 900_000 })));
    assert.ok(!(await check(scheme, { authorization: `Bearer ${await token(undefined)}` })));
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${right.split('.')[1]}.`;
    assert.ok(!(await check(scheme, { authorization: `Bearer ${none}` })));
  });

  test('ed25519 verifies the time and the body', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
    const signature = sign(null, Buffer.concat([Buffer.from(`${seconds}|`), body]), privateKey);
    const headers = { 'x-signature': signature.toString('base64'), 'x-time': seconds };
    const scheme = { scheme: 'ed25519', publicKey: 'key', header: 'x-signature', timestamp: 'x-time' };
    const given = { key: raw };
    assert.ok(await check(scheme, headers, {}, given));
    assert.ok(!(await check(scheme, headers, { body: Buffer.from('{}') }, given)));
    assert.ok(!(await check(scheme, { ...headers, 'x-time': String(Number(seconds) + 1) }, {}, given)));
    assert.ok(!(await check(scheme, { 'x-time': seconds }, {}, given)));
    assert.ok(!(await check(scheme, headers, {}, { key: 'short' })));
    await checkAge(scheme, headers, given);
  });

  test('basic compares user and password', async () => {
    const scheme = { scheme: 'basic', user: 'user', password: 'password' };
    const authorization = (text: string) => ({
      authorization: `Basic ${Buffer.from(text).toString('base64')}`,
    });
    assert.ok(await check(scheme, authorization('me:pw')));
    for (const text of ['me:px', 'me', ':', 'you:pw'])
      assert.ok(!(await check(scheme, authorization(text))), text);
    assert.ok(!(await check(scheme, {})));
  });
});
