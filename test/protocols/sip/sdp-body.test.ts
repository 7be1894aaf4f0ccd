import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Headers } from '../../../server/protocols/sip/message.ts';
import { sdpOf } from '../../../server/protocols/sip/sdp-body.ts';

const sdp = 'v=0\r\nm=audio 4000 RTP/AVP 8\r\n';

function find(contentType: string | undefined, body: string): string {
  const headers = new Headers();
  if (contentType !== undefined) headers.add('Content-Type', contentType);
  return sdpOf({ headers, body: Buffer.from(body, 'latin1') } as Parameters<typeof sdpOf>[0]).toString();
}

const part = (type: string, body: string) => `--b\r\n${type}\r\n\r\n${body}\r\n`;

test('a session description alone, with parameters or without a type', () => {
  for (const type of ['application/sdp', 'Application/SDP; charset=utf-8', undefined])
    assert.equal(find(type, sdp), sdp, type);
  assert.equal(find('application/isup', sdp), '');
});

test('a session description among the parts of a body', () => {
  const isup = part('Content-Type: application/ISUP;version=itu-t92+', '\u0001\u0002\r\n--bb\u0003');
  const mixed = `${isup}${part('content-type : application/sdp\r\nContent-Disposition: session', sdp)}--b--\r\n`;
  for (const type of [
    'multipart/mixed;boundary=b',
    'Multipart/Mixed; x=1; boundary="b"',
    'multipart/related ; boundary=b',
  ])
    assert.equal(find(type, mixed), sdp, type);
  const folded = `preamble\r\n${part('X: 1\r\nc:\r\n application/sdp', sdp)}--b--`;
  assert.equal(find('multipart/mixed;boundary=b', folded), sdp);
  const inner = part(
    'Content-Type: multipart/alternative;boundary=c',
    `--c\r\nc: application/sdp\r\n\r\n${sdp}\r\n--c--`,
  );
  assert.equal(find('multipart/mixed;boundary=b', `${inner}--b--`), sdp);
});

test('bodies without one, and broken ones', () => {
  const only = part('Content-Type: text/plain', 'x');
  for (const [type, body] of [
    ['multipart/mixed', part('c: application/sdp', sdp)],
    ['multipart/mixed;boundary=b', `${only}--b--`],
    ['multipart/mixed;boundary=b', part('c: application/sdp', sdp)],
    ['multipart/mixed;boundary=b', '--b--'],
    ['multipart/mixed;boundary=b', ''],
    ['multipart/mixed;boundary=b', `${part('', sdp)}--b--`],
  ] as const)
    assert.equal(find(type, body), '', `${type} ${body}`);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('--b', '\r\n', '--', 'c: application/sdp', 'x', ';', ' ')),
      (pieces) => {
        find('multipart/mixed;boundary=b', pieces.join(''));
      },
    ),
  );
});
