import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SipFramer } from '../../../server/protocols/sip/framing.ts';
import {
  Headers,
  parseNameAddress,
  type SipMessage,
  writeRequest,
  writeResponse,
} from '../../../server/protocols/sip/message.ts';
import { limits, parseMessage, SipParseError } from '../../../server/protocols/sip/parser.ts';
import { hostPort, parseSipUri } from '../../../server/protocols/sip/uri.ts';

const token = fc.stringMatching(/^[A-Za-z0-9.!%*_+'~-]{1,20}$/);
const text = fc.stringMatching(/^[A-Za-z0-9 ,;:<>"=()-]{0,40}$/).map((value) => value.trim());
const body = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const more = fc.array(fc.tuple(fc.stringMatching(/^X-[A-Za-z]{1,10}$/), text), { maxLength: 5 });

/** What every message has to have. */
function whole(branch: string, callId: string, sequence: number, method: string): Headers {
  return new Headers()
    .add('Via', `SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK${branch};rport`)
    .add('From', `<sip:caller@example.com>;tag=${branch}`)
    .add('To', '"A, b" <sip:callee@example.com;transport=udp>')
    .add('Call-ID', callId)
    .add('CSeq', `${sequence} ${method}`);
}

const request = fc
  .record({
    method: token,
    branch: token,
    callId: token,
    sequence: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    more,
    body,
  })
  .map((fields) => {
    const { method, branch, callId, sequence } = fields;
    const headers = whole(branch, callId, sequence, method);
    for (const [name, value] of fields.more) headers.add(name, value);
    return { ...fields, bytes: writeRequest(method, 'sip:callee@example.com', headers, fields.body) };
  });

test('what is written is read as it was', () => {
  fc.assert(
    fc.property(request, ({ bytes, method, branch, callId, sequence, more, body }) => {
      const read = parseMessage(bytes);
      assert.ok(read.kind === 'request');
      assert.equal(read.method, method);
      assert.equal(read.uri, 'sip:callee@example.com');
      assert.equal(read.via.branch, `z9hG4bK${branch}`);
      assert.equal(read.fromTag, branch);
      assert.equal(read.toTag, '');
      assert.equal(read.callId, callId);
      assert.equal(read.sequence, sequence);
      assert.deepEqual(read.body, body);
      for (const [name, value] of more) assert.ok(read.headers.lines(name).includes(value));
    }),
  );
});

test('a stream gives the messages that were put into it, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 4 }), fc.array(fc.nat()), (requests, cuts) => {
      const bytes = Buffer.concat(requests.flatMap((one) => [Buffer.from('\r\n\r\n'), one.bytes]));
      const at = [0, ...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b);
      const framer = new SipFramer();
      const read: SipMessage[] = [];
      for (let i = 1; i < at.length; i++) read.push(...framer.push(bytes.subarray(at[i - 1], at[i])));
      assert.deepEqual(
        read.map(({ callId, body }) => ({ callId, body })),
        requests.map(({ callId, body }) => ({ callId, body })),
      );
    }),
  );
});

test('whatever bytes come, they are read or refused', () => {
  const readOrRefuse = (bytes: Buffer) => {
    for (const read of [() => parseMessage(bytes), () => new SipFramer().push(bytes)]) {
      try {
        read();
      } catch (error) {
        assert.ok(error instanceof SipParseError, String(error));
      }
    }
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => readOrRefuse(Buffer.from(bytes))));
  // Messages that were right before some of their octets were changed or lost.
  const changed = fc.tuple(
    request,
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }),
  );
  fc.assert(
    fc.property(changed, fc.nat(), ([{ bytes }, changes], length) => {
      const broken = Buffer.from(bytes);
      for (const [at, octet] of changes) broken[at % broken.length] = octet;
      readOrRefuse(broken.subarray(0, length % (broken.length + 1)));
    }),
  );
});

test('names in any case and in their compact forms, folded lines, several on one line', () => {
  const { headers, ...read } = parseMessage(
    Buffer.from(
      [
        'INVITE sip:b@example.com SIP/2.0',
        'v : SIP / 2.0 / UDP 192.0.2.1:5070 ; branch=z9hG4bK1 , SIP/2.0/TCP [2001:db8::1];branch=z9hG4bK2',
        'f: sip:a@example.com;tag=one',
        't: "B \\"the\\" , b" <sip:b@example.com;x=y>',
        'i: call',
        'CSEQ: 7',
        '  INVITE',
        'm: "x,y" <sip:a@192.0.2.1>;expires=60, <sip:c@192.0.2.2>',
        'l: 3',
        '',
        'abcdef',
      ].join('\r\n'),
    ),
  );
  assert.equal(read.kind, 'request');
  assert.deepEqual(
    { ...read.via, params: [...read.via.params] },
    { host: '192.0.2.1', port: 5070, branch: 'z9hG4bK1', params: [['branch', 'z9hG4bK1']] },
  );
  assert.equal(headers.list('Via').length, 2);
  assert.equal(read.fromTag, 'one');
  assert.equal(read.toTag, '');
  assert.equal(read.sequence, 7);
  assert.deepEqual(headers.list('contact'), ['"x,y" <sip:a@192.0.2.1>;expires=60', '<sip:c@192.0.2.2>']);
  assert.equal(read.body.toString(), 'abc');
});

test('what is beyond the limits is refused', () => {
  const head = whole('1', 'call', 1, 'OPTIONS');
  const withFields = (count: number, value: string) => {
    const headers = new Headers();
    for (const field of head) headers.add(...field);
    for (let i = 0; i < count; i++) headers.add('X-More', value);
    return writeRequest('OPTIONS', 'sip:b@example.com', headers);
  };
  assert.equal(parseMessage(withFields(100, 'x')).kind, 'request');
  assert.throws(() => parseMessage(withFields(limits.fields, 'x')), SipParseError);
  assert.throws(() => parseMessage(withFields(1, 'x'.repeat(limits.line))), SipParseError);
  assert.throws(() => parseMessage(withFields(8, 'x'.repeat(limits.line / 2))), SipParseError);
  assert.throws(() => parseMessage(Buffer.alloc(limits.message + 1, 'x')), SipParseError);
  assert.throws(() => new SipFramer().push(Buffer.alloc(limits.header + 1, 'x')), SipParseError);
  const long = `OPTIONS sip:b@example.com SIP/2.0\r\nContent-Length: ${limits.message + 1}\r\n\r\n`;
  assert.throws(() => new SipFramer().push(Buffer.from(long)), SipParseError);
});

test('what makes patterns slow is read or refused', () => {
  const nasty = [
    '"'.repeat(8_000),
    '<'.repeat(8_000),
    ' '.repeat(8_000),
    ','.repeat(8_000),
    '\\"'.repeat(4_000),
  ];
  for (const value of nasty) {
    const headers = whole('1', 'call', 1, 'INVITE').add('Contact', `${value},x`).set('To', `${value} x`);
    try {
      parseMessage(writeRequest('INVITE', 'sip:b@example.com', headers)).headers.list('Contact');
    } catch (error) {
      assert.ok(error instanceof SipParseError);
    }
    parseNameAddress(value);
    parseSipUri(`sip:${value}`);
  }
});

test('a response is written with its reason', () => {
  const bytes = writeResponse(486, whole('1', 'call', 1, 'INVITE'));
  assert.match(bytes.toString(), /^SIP\/2\.0 486 Busy Here\r\nVia: /);
  const read = parseMessage(bytes);
  assert.ok(read.kind === 'response');
  assert.equal(read.status, 486);
});

test('SIP URIs', () => {
  const read = (uri: string) => {
    const { params, ...rest } = parseSipUri(uri)!;
    return { ...rest, params: Object.fromEntries(params) };
  };
  assert.deepEqual(read('sip:%2B97250:pw@example.com:5070;transport=TCP;lr'), {
    secure: false,
    user: '+97250',
    host: 'example.com',
    port: 5070,
    params: { transport: 'TCP', lr: '' },
  });
  assert.deepEqual(read('sips:[2001:db8::1]'), {
    secure: true,
    user: '',
    host: '2001:db8::1',
    port: undefined,
    params: {},
  });
  for (const none of [
    'tel:+972',
    'sip:',
    'sip:a@',
    'sip:a@b:0',
    'sip:a@b:65536',
    'sip:a b@c',
    'http://x',
    'sip:a@b>',
  ]) {
    assert.equal(parseSipUri(none), undefined, none);
  }
  assert.equal(hostPort('2001:db8::1', 5060), '[2001:db8::1]:5060');
  assert.equal(hostPort('a', 0), 'a');
});
