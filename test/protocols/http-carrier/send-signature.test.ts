import assert from 'node:assert/strict';
import { createHash, createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, test } from 'node:test';
import { jwtVerify } from 'jose';
import type { HttpDescriptionInput } from '../../../server/protocols/http-carrier/description.ts';
import { previewRequest } from '../../../server/protocols/http-carrier/preview.ts';
import { compileSigner } from '../../../server/protocols/http-carrier/send-signature.ts';
import { httpCarrierSettings } from '../../../server/protocols/http-carrier/settings.ts';
import { messageOf, type Received, settingsOf, simple, startConnector, startProvider } from './support.ts';

type Send = HttpDescriptionInput['send'];

/** A description that signs its requests, or has a token. */
const signedAt = (origin: string, more: Partial<Send>): HttpDescriptionInput => {
  const description = simple(origin);
  return { ...description, send: { ...description.send, ...more } };
};
const signature = (input: object) => ({ signature: { scheme: 'hmac', ...input } }) as Partial<Send>;

function problemOf(more: object, secrets: Record<string, string> = { key: 'k' }): string | undefined {
  const description = signedAt('https://api.example', more);
  const { error } = httpCarrierSettings.safeParse({ name: 'one', description, secrets });
  const issue = error?.issues[0];
  return issue && `${issue.path.join('.')}: ${issue.message}`;
}

describe('hmac', () => {
  const urlOf = ({ path, query }: Received, origin: string) =>
    `${origin}${path}${query.size > 0 ? `?${query}` : ''}`;

  test('a provider verifies method, address, time, nonce and body', async (t) => {
    const provider = await startProvider(t, (request) => {
      const { method, headers, body } = request;
      const signed = [
        ...[method, '\n', urlOf(request, provider.origin), '\n', headers['x-time'], '.', headers['x-nonce']],
        ...['.', headers['content-type'], '.', createHash('sha256').update(body).digest('hex')],
      ];
      const expected = createHmac('sha512', Buffer.from('00ff10', 'hex'))
        .update(signed.join(''))
        .digest('base64');
      const isRecent = Math.abs(Date.now() / 1_000 - Number(headers['x-time'])) < 60;
      return headers.authorization === `HMAC shop:${expected}` && isRecent
        ? { status: 200, body: { id: 'm1' } }
        : { status: 401 };
    });
    const description = signedAt(provider.origin, {
      query: { to: '{to.digits}' },
      ...signature({
        ...{ secret: 'key', key: 'hex', algorithm: 'sha512', encoding: 'base64' },
        signed: [
          ...['method', { text: '\n' }, 'url', { text: '\n' }, 'timestamp', { text: '.' }, 'nonce'],
          ...[{ text: '.' }, { header: 'content-type' }, { text: '.' }, 'body-sha256-hex'],
        ],
        ...{ header: 'authorization', prefix: 'HMAC {secret.user}:' },
        ...{ timestamp: { header: 'x-time' }, nonce: { header: 'x-nonce' } },
      }),
    });
    const settings = settingsOf({ description, secrets: { key: '00ff10', user: 'shop' } });
    const { send } = startConnector(t, settings);
    assert.deepEqual(await send(), { kind: 'accepted', carrierIds: ['m1'] });
    assert.deepEqual(await send({ payload: 'ש & "x"' }), { kind: 'accepted', carrierIds: ['m1'] });
    const nonces = provider.received.map(({ headers }) => headers['x-nonce']);
    assert.equal(new Set(nonces).size, 2);
  });

  test('a wrong secret takes the connector down', async (t) => {
    const provider = await startProvider(t, ({ query, body }) =>
      query.get('sig') === createHmac('sha256', 'right').update(body).digest('hex')
        ? { status: 200, body: { id: 'm1' } }
        : { status: 401 },
    );
    const description = signedAt(
      provider.origin,
      signature({ secret: 'key', signed: ['body'], query: 'sig' }),
    );
    const wrong = startConnector(t, settingsOf({ description, secrets: { key: 'wrong' } }));
    assert.deepEqual(await wrong.send(), { kind: 'again' });
    assert.equal(wrong.connector.fault?.reason, 'access');
    const right = startConnector(t, settingsOf({ description, secrets: { key: 'right' } }));
    assert.equal((await right.send()).kind, 'accepted');
  });

  test('time and nonce of the query are signed with the address', async () => {
    const input = {
      ...{
        secret: 'key',
        signed: ['path', 'timestamp', 'nonce', 'body-sha256'],
        query: 's&g',
        encoding: 'base64url',
      },
      ...{ timestamp: { query: 'ts', format: 'milliseconds' }, nonce: { query: 'n' } },
    };
    const { description } = settingsOf({
      description: signedAt('https://api.example', signature(input)),
      secrets: { key: 'k' },
    });
    const request = {
      origin: 'https://api.example',
      path: '/send',
      method: 'POST',
      headers: [],
      body: 'b',
    } as const;
    const { path } = await compileSigner(description, { key: 'k' })!(request, 1_800_000_000_123);
    const [, nonce, given] = /^\/send\?ts=1800000000123&n=([\w-]{36})&s%26g=([\w-]{43})$/.exec(path)!;
    const expected = createHmac('sha256', 'k')
      .update(`/send?ts=1800000000123&n=${nonce}1800000000123${nonce}`)
      .update(createHash('sha256').update('b').digest());
    assert.equal(given, expected.digest('base64url'));
  });

  test('problems name the field', () => {
    const at = 'description\\.send\\.signature';
    const good = { secret: 'key', signed: ['body'], header: 'x-signature' };
    const cases: [object, string][] = [
      [{ ...good, header: undefined }, `${at}: must have either header or query`],
      [{ ...good, query: 'q' }, `${at}: must have either header or query`],
      [{ ...good, signed: ['hash'] }, `${at}\\.signed\\.0: must be one of method, url`],
      [{ ...good, signed: [{ text: '{text}' }] }, `${at}\\.signed\\.0\\.text: may contain secrets`],
      [{ ...good, signed: ['body', 'timestamp'] }, `${at}\\.timestamp: is missing: it is signed`],
      [{ ...good, timestamp: { header: 'x-time' } }, `${at}\\.timestamp: must be among the signed`],
      [
        { ...good, signed: ['nonce'], nonce: { header: 'x-signature' } },
        `${at}\\.header: the request has this header already`,
      ],
      [{ ...good, signed: [{ header: 'x-id' }] }, `${at}\\.signed\\.0\\.header: the request has no header`],
      [{ ...good, header: 'content-type' }, `${at}\\.header: the request has this header already`],
      [{ ...good, prefix: '{to.plus}' }, `${at}\\.prefix: may contain secrets, but nothing of a message`],
      [{ ...good, secret: 'other' }, 'secrets\\.other: is missing'],
      [{ ...good, key: 'hex' }, 'secrets\\.key: is not hexadecimal'],
      [{ ...good, key: 'base64' }, 'secrets\\.key: is not base64'],
      [{ ...good, algorithm: 'md5' }, `${at}\\.algorithm`],
    ];
    assert.equal(problemOf(signature(good)), undefined);
    for (const [input, expected] of cases)
      assert.match(problemOf(signature(input)) ?? 'valid', new RegExp(`^${expected}`));
  });
});

describe('aws-v4', () => {
  const now = Date.UTC(2015, 7, 30, 12, 36);
  const secrets = {
    access: 'AKIDEXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  };
  const scheme = {
    ...{ accessKey: 'access', secretKey: 'secret', region: '{secret.region}', service: 'service' },
    scheme: 'aws-v4' as const,
  };

  async function signaturesOf(
    request: { method: 'GET' | 'POST'; path?: string; headers?: string[]; body?: string },
    sts?: string,
  ) {
    const all = { ...secrets, ...(sts !== undefined && { sts }) };
    const { description } = settingsOf({
      description: signedAt('https://example.amazonaws.com', {
        signature: { ...scheme, ...(sts !== undefined && { sessionToken: 'sts' }) },
      }),
      secrets: all,
    });
    const signed = await compileSigner(description, all)!(
      { origin: 'https://example.amazonaws.com', path: '/', headers: [], body: null, ...request },
      now,
    );
    return signed.headers.at(-1);
  }
  const authorization = (headers: string, hash: string) =>
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${headers}, Signature=${hash}`;

  // The test suite that AWS published for Signature Version 4.
  test('the requests of the published test suite have its signatures', async () => {
    const { method, type } = {
      method: 'POST',
      type: ['content-type', 'application/x-www-form-urlencoded'],
    } as const;
    assert.equal(
      await signaturesOf({ method: 'GET' }),
      authorization('host;x-amz-date', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'),
    );
    assert.equal(
      await signaturesOf({ method: 'GET', path: '/?Param2=value2&Param1=value1' }),
      authorization('host;x-amz-date', 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500'),
    );
    assert.equal(
      await signaturesOf({ method }),
      authorization('host;x-amz-date', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'),
    );
    assert.equal(
      await signaturesOf({ method, headers: [...type], body: 'Param1=value1' }),
      authorization(
        'content-type;host;x-amz-date',
        'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
      ),
    );
  });

  test('the token of temporary credentials is sent and signed', async () => {
    assert.match(
      String(await signaturesOf({ method: 'POST' }, 'AQoDYXdzEPT//')),
      /SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}$/,
    );
  });

  test('a message over Amazon SNS', async (t) => {
    const provider = await startProvider(t, ({ headers, body }) => {
      const isSigned = /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/sns\//.test(
        String(headers.authorization),
      );
      if (!isSigned)
        return {
          status: 403,
          body: '<ErrorResponse><Error><Code>InvalidClientTokenId</Code></Error></ErrorResponse>',
        };
      if (body.includes('Message=slow'))
        return { status: 400, body: '<ErrorResponse><Error><Code>Throttling</Code></Error></ErrorResponse>' };
      return {
        status: 200,
        body: '<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>m-1</MessageId></PublishResult></PublishResponse>',
      };
    });
    const description: HttpDescriptionInput = {
      send: {
        url: `${provider.origin}/`,
        body: {
          form: { Action: 'Publish', Version: '2010-03-31', PhoneNumber: '{to.plus}', Message: '{text}' },
        },
        signature: { ...scheme, region: 'eu-west-1', service: 'sns' },
      },
      answer: {
        rules: [
          { when: { status: 200 }, then: 'accepted' },
          { when: { at: 'xml:ErrorResponse/Error/Code', is: 'Throttling' }, then: 'throttled' },
          { when: { status: 403 }, then: 'again', fault: 'access' },
        ],
        id: 'xml:PublishResponse/PublishResult/MessageId',
        code: 'xml:ErrorResponse/Error/Code',
      },
    };
    const { region: _region, ...keys } = secrets;
    const { send, connector } = startConnector(t, settingsOf({ description, secrets: keys }));
    assert.deepEqual(await send(), { kind: 'accepted', carrierIds: ['m-1'] });
    assert.deepEqual(await send({ payload: 'slow' }), { kind: 'again' });
    assert.equal(connector.up, true);
  });

  test('problems name the field', () => {
    const keys = { access: 'a', secret: 's' };
    const plain = { ...scheme, region: 'eu-west-1' };
    assert.equal(problemOf({ signature: plain }, keys), undefined);
    assert.match(
      problemOf({ signature: plain, auth: { bearer: 'x' } }, keys) ?? 'valid',
      /^description\.send\.signature\.scheme: aws-v4 sets the header authorization/,
    );
    assert.match(
      problemOf({ signature: { ...plain, service: '' } }, keys) ?? 'valid',
      /^description\.send\.signature\.service/,
    );
    assert.match(problemOf({ signature: plain }, { ...keys, access: 'a\nb' }) ?? 'valid', /^secrets\.access/);
  });
});

describe('jwt', () => {
  const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const pairs = {
    RS256: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    EdDSA: generateKeyPairSync('ed25519'),
  };
  const jwtOf = (algorithm: string, more: object = {}) =>
    ({ auth: { jwt: { algorithm, secret: 'key', ...more } } }) as Partial<Send>;

  for (const algorithm of ['HS256', 'RS256', 'ES256', 'EdDSA'] as const) {
    test(`${algorithm}: the provider verifies the token, which is used again`, async (t) => {
      const pair = algorithm === 'HS256' ? undefined : pairs[algorithm];
      const secret = 'a secret of at least thirty-two characters';
      const provider = await startProvider(t, async ({ headers }) => {
        const token = String(headers.authorization).replace(/^Bearer /, '');
        const { payload, protectedHeader } = await jwtVerify(token, pair?.publicKey ?? Buffer.from(secret), {
          algorithms: [algorithm],
        });
        assert.equal(payload.application_id, 'app-1');
        assert.equal(payload.exp! - payload.iat!, 60);
        assert.match(payload.jti!, /^[\w-]{36}$/);
        assert.equal(protectedHeader.kid, 'k1');
        return { status: 200, body: { id: 'm1' } };
      });
      const more = { claims: { application_id: '{secret.application}' }, keyId: 'k1', lifetime: 60 };
      const description = signedAt(provider.origin, jwtOf(algorithm, more));
      // A key that was typed into an input of one line.
      const key = pair ? pem(pair.privateKey).replaceAll('\n', ' ') : secret;
      const settings = settingsOf({ description, secrets: { key, application: 'app-1' } });
      const { send } = startConnector(t, settings);
      assert.equal((await send()).kind, 'accepted');
      assert.equal((await send()).kind, 'accepted');
      assert.equal(new Set(provider.received.map(({ headers }) => headers.authorization)).size, 1);
    });
  }

  test('a refused token is not used again', async (t) => {
    const provider = await startProvider(t, (_request, count) =>
      count === 1 ? { status: 401 } : { status: 200, body: { id: 'm1' } },
    );
    const description = signedAt(provider.origin, jwtOf('EdDSA'));
    const settings = settingsOf({ description, secrets: { key: pem(pairs.EdDSA.privateKey) } });
    const { send } = startConnector(t, settings);
    assert.deepEqual(await send(), { kind: 'again' });
    assert.equal((await send()).kind, 'accepted');
    const [first, second] = provider.received.map(({ headers }) => headers.authorization);
    assert.notEqual(first, second);
  });

  test('problems name the field', () => {
    const small = pem(generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey);
    const other = pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey);
    const cases: [object, string, RegExp][] = [
      [jwtOf('RS256'), 'no key', /^secrets\.key: is no private key for RS256 in PEM/],
      [jwtOf('RS256'), small, /^secrets\.key: is no private key for RS256/],
      [jwtOf('ES256'), other, /^secrets\.key: is no private key for ES256/],
      [jwtOf('RS256'), pem(pairs.ES256.privateKey), /^secrets\.key: is no private key/],
      [jwtOf('HS256', { key: 'base64' }), '!', /^secrets\.key: is not base64/],
      [jwtOf('none'), 'k', /^description\.send\.auth\.jwt\.algorithm/],
      [jwtOf('HS256', { claims: { exp: 1 } }), 'k', /^description\.send\.auth\.jwt\.claims\.exp: is set by/],
      [
        { auth: { bearer: 'a', jwt: { algorithm: 'HS256', secret: 'key' } } },
        'k',
        /^description\.send\.auth: must be one/,
      ],
      [jwtOf('HS256', { claims: { sub: '{to.plus}' } }), 'k', /^description\.send\.auth\.jwt\.claims\.sub/],
    ];
    for (const [more, key, expected] of cases) assert.match(problemOf(more, { key }) ?? 'valid', expected);
  });
});

describe('preview', () => {
  const preview = async (more: Partial<Send>, secrets: Record<string, string>) => {
    const { description } = settingsOf({ description: signedAt('https://api.example', more), secrets });
    return previewRequest(description, [messageOf()], { name: 'x', publicUrl: 'https://me.example', now: 0 });
  };

  test('signatures, tokens and keys are masked', async () => {
    const hmac = { secret: 'key', key: 'hex', signed: ['body'], header: 'x-signature', prefix: 'v1=' };
    const signed = await preview(signature(hmac), { key: '00ff' });
    assert.deepEqual(signed.headers.at(-1), { name: 'x-signature', value: 'v1=***' });
    const aws = await preview(
      {
        signature: {
          ...{ accessKey: 'access', secretKey: 'secret', region: 'eu-west-1', service: 'sns' },
          scheme: 'aws-v4',
        },
      },
      { access: 'AKID', secret: 'hidden' },
    );
    assert.match(
      aws.headers.at(-1)!.value,
      /^AWS4-HMAC-SHA256 Credential=\*\*\*\/19700101\/eu-west-1\/.*Signature=\*\*\*$/,
    );
    const jwt = await preview({ auth: { jwt: { algorithm: 'HS256', secret: 'key' } } }, { key: 'hidden' });
    assert.deepEqual(
      jwt.headers.find(({ name }) => name === 'authorization'),
      { name: 'authorization', value: 'Bearer ***' },
    );
    assert.ok(!JSON.stringify([signed, aws, jwt]).includes('hidden'));
  });
});
