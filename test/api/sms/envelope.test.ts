import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { type Content, DEMO_TOKEN, forms, oneSms, startTestService, write } from '../../support/service.ts';
import { toXml } from '../../support/xml.ts';

/** How requests and answers are wrapped (decisions, section 1, first table). */
const service = await startTestService();
const { sql } = service;

const contentTypes = [
  'application/json',
  'application/xml',
  'text/xml; charset=utf-8',
  'application/json; charset=windows-1255',
  'text/xml; charset="iso-8859-8"',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'garbage',
  '/;;,',
];

for (const form of forms) {
  test(
    `${form}: any content type, or none, and the answer in the form of the request`,
    covers('requests.form'),
    async () => {
      for (const type of contentTypes) {
        const answer = await service.call(form, 'sms', oneSms(), { headers: { 'content-type': type } });
        assert.deepEqual([answer.http, answer.status, answer.form], [200, 0, form], type);
        if (form === 'xml') assert.equal(answer.root, 'sms');
      }
      const bytes = Buffer.from(write(form, 'sms', oneSms()));
      assert.equal((await service.post(bytes)).status, 0, 'no content type');
    },
  );

  test(
    `${form}: a byte-order mark, white space before and after, UTF-16`,
    covers('requests.white space'),
    async () => {
      const body = write(form, 'sms', oneSms({ message: 'שלום' }));
      for (const one of [`\ufeff${body}`, ` \r\n\t${body}\n\n`, `\ufeff \n${body} `, `\n\ufeff${body}`]) {
        const answer = await service.post(one);
        assert.equal(answer.status, 0, `${JSON.stringify(one.slice(0, 6))}: ${answer.message}`);
      }
      const wide = Buffer.from(`\ufeff${body}`, 'utf16le');
      for (const bytes of [wide, Buffer.from(wide).swap16()]) {
        const answer = await service.post(bytes);
        assert.equal(answer.status, 0, answer.message);
        const [row] =
          await sql`SELECT payload AS text FROM messages WHERE shipment_id = ${Number(answer.fields.shipment_id)}`;
        assert.equal(row!.text, 'שלום');
      }
    },
  );

  test(
    `${form}: unknown and several operations are 997`,
    covers('requests.roots', 'status.997'),
    async () => {
      const before = await countEverything(sql);
      for (const root of [
        'nothing',
        'SMS',
        'Sms',
        'constructor',
        'toString',
        '__proto__',
        'response',
        'a-b.c',
      ]) {
        const answer = await service.call(form, root, oneSms());
        assert.deepEqual([answer.http, answer.status, answer.form], [200, 997, form], root);
      }
      const two =
        form === 'xml'
          ? `${toXml('sms', { user: { username: 'demo' }, ...oneSms() })}<balance/>`
          : JSON.stringify({ sms: oneSms(), balance: { user: { username: 'demo' } } });
      const answer = await service.post(two);
      assert.deepEqual([answer.status, answer.form], [997, form]);
      assert.deepEqual(await countEverything(sql), before);
    },
  );

  test(
    `${form}: /api and /api/test with and without a slash at the end, and a query`,
    covers('requests.paths'),
    async () => {
      for (const path of ['/api', '/api/', '/api?x=1', '/api/test', '/api/test/']) {
        assert.equal((await service.call(form, 'balance', {}, { path })).status, 0, path);
      }
    },
  );

  test(
    `${form}: a body of 10 MiB is read, one byte more is 413 with status 1`,
    covers('requests.size', 'status.1'),
    async () => {
      const most = 10 * 1024 * 1024;
      const padded = write(form, 'balance', {}).padEnd(most, ' ');
      assert.equal((await service.post(padded)).status, 0);
      const type = { 'content-type': form === 'xml' ? 'text/xml' : 'application/json' };
      const tooLarge = await raw('POST', '/api', `${padded} `, type);
      assert.equal(tooLarge.http, 413);
      if (form === 'json') assert.equal(JSON.parse(tooLarge.body).status, 1);
      else assert.match(tooLarge.body, /<status>1<\/status>/);
      assert.equal((await service.call(form, 'balance', {})).status, 0);
    },
  );

  test(`${form}: a body that comes in chunks without a length`, covers('requests.size'), async () => {
    const body = write(form, 'balance', {});
    const answer = await raw('POST', '/api', body, {}, { chunked: true });
    assert.equal(answer.http, 200);
    assert.match(answer.body, form === 'xml' ? /<status>0<\/status>/ : /"status":0/);
    const tooLarge = await raw('POST', '/api', body.padEnd(11 * 1024 * 1024), {}, { chunked: true });
    assert.equal(tooLarge.http, 413);
  });
}

/** A request as bytes, with no help of a client's. */
function raw(
  method: string,
  path: string,
  body: string | Buffer | undefined,
  headers: Record<string, string> = {},
  options: { chunked?: boolean } = {},
): Promise<{ http: number; headers: Record<string, unknown>; body: string }> {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const sized = bytes !== undefined && !options.chunked && { 'content-length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    const sending = request(
      `${service.url}${path}`,
      { method, headers: { authorization: `Bearer ${DEMO_TOKEN}`, ...sized, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            http: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    // The server may answer and close before it has read all of what is too large.
    sending.on('error', (error) => {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error);
    });
    sending.end(bytes);
  });
}

test(
  'XML: without a declaration, with one that names another encoding, with comments and CDATA',
  covers('requests.declaration'),
  async () => {
    const inner = '<user><username>demo</username></user>';
    const bodies = [
      `<balance>${inner}</balance>`,
      `<?xml version="1.0"?><balance>${inner}</balance>`,
      `<?xml version="1.0" encoding="windows-1255"?><balance>${inner}</balance>`,
      `<?xml version="1.0" encoding="UTF-16" standalone="yes"?>\n<balance>${inner}</balance>`,
      `<!-- a --><balance><!-- b -->${inner}</balance><!-- c -->`,
      '<balance><user><username><![CDATA[demo]]></username></user></balance>',
      '<balance extra="1"><user a="b"><username>&#100;emo</username></user></balance>',
    ];
    for (const body of bodies) {
      const answer = await service.post(body);
      assert.deepEqual([answer.status, answer.root], [0, 'balance'], body);
    }
  },
);

test(
  'the XML and the JSON of a request are one request: the same answer but for its form',
  covers('requests.answer', 'requests.mapping'),
  async () => {
    const cases: [string, Content][] = [
      ['balance', {}],
      ['sms', oneSms({ source: '' })],
      ['sms', oneSms({ destinations: { phone: [{ $: { id: 'a' }, _: '123' }] } })],
      ['bulk', { messages: { sms: [oneSms(), oneSms({ message: '' })] } }],
      ['addNumBL', { phones: { phone: ['0521112223', 'x'] } }],
      ['blacklist', { from: '01/01/25 00:00', to: '31/12/40 00:00' }],
      ['cancel', { campaign_id: 5 }],
      ['getApiToken', { username: 'demo', action: 'current' }],
      ['nothing', {}],
    ];
    const texts = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Array.isArray(value)
          ? value.map(texts)
          : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, texts(one)]))
        : String(value);
    for (const [root, content] of cases) {
      const path = '/api/test';
      const [json, xml] = [
        await service.call('json', root, content, { path }),
        await service.call('xml', root, content, { path }),
      ];
      assert.deepEqual(texts(json.fields), texts(xml.fields), root);
      assert.equal(xml.root, root);
    }
  },
);

test('texts are trimmed, and everything between is kept', covers('requests.trimmed'), async () => {
  for (const form of forms) {
    const message = 'a  b\n\tc "d" \'e\' &amp; <f> ]]> \u{1f600} ‏שלום‏ \u00a0x';
    const answer = await service.call(form, 'sms', oneSms({ message: ` \n${message}  ` }));
    const [row] =
      await sql`SELECT payload AS text FROM messages WHERE shipment_id = ${Number(answer.fields.shipment_id)}`;
    assert.equal(row!.text, message, form);
  }
});

test('other methods are 405 and name the one that is allowed', covers('requests.methods'), async () => {
  for (const path of ['/api', '/api/', '/api/test', '/api/test/']) {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD']) {
      const answer = await raw(method, path, undefined);
      assert.equal(answer.http, 405, `${method} ${path}`);
      assert.equal(answer.headers.allow, 'POST');
    }
  }
});

test(
  'strangers do not get the version of the service; signed-in callers do',
  covers('requests.version'),
  async () => {
    for (const [method, path] of [
      ['POST', '/api'],
      ['GET', '/api'],
      ['GET', '/healthz'],
      ['GET', '/nowhere'],
    ] as const) {
      const answer = await raw(method, path, method === 'POST' ? 'x' : undefined);
      assert.equal(answer.headers['x-carillon-version'], undefined);
    }
    const { headers } = await service.call('json', 'balance', {});
    assert.match(headers.get('x-carillon-version') ?? '', /^\d+\.\d+\.\d+/);
  },
);

test('no body at all is status 1', covers('requests.unreadable'), async () => {
  const types: Record<string, string>[] = [
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'text/xml' },
  ];
  for (const headers of types) {
    const answer = await raw('POST', '/api', '', headers);
    assert.deepEqual([answer.http, JSON.parse(answer.body).status], [200, 1]);
    const chunked = await raw('POST', '/api', '', headers, { chunked: true });
    assert.deepEqual([chunked.http, JSON.parse(chunked.body).status], [200, 1]);
  }
});
