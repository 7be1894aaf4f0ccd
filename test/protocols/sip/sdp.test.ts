import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isListening, parseSdp, writeAnswer, writeOffer } from '../../../server/protocols/sip/sdp.ts';

const local = { address: '192.0.2.1', port: 20_000, session: 7, version: 1 };
const sdp = (...lines: string[]) =>
  Buffer.from(['v=0', 'o=- 1 1 IN IP4 192.0.2.9', 's=-', ...lines, ''].join('\r\n'));
const common = ['c=IN IP4 192.0.2.9', 't=0 0'];

test('the offer has both laws and the events of keys', () => {
  const offer = parseSdp(writeOffer(local))!;
  assert.deepEqual(offer.codecs, [
    { law: 'PCMA', payloadType: 8 },
    { law: 'PCMU', payloadType: 0 },
  ]);
  assert.equal(offer.address, '192.0.2.1');
  assert.equal(offer.port, 20_000);
  assert.equal(offer.rtcpPort, 20_001);
  assert.equal(offer.direction, 'sendrecv');
});

test('the answer takes the first codec that both have, and refuses other streams in their places', () => {
  const offer = parseSdp(
    sdp(
      ...common,
      'm=video 30000 RTP/AVP 96',
      'a=rtpmap:96 H264/90000',
      'm=audio 30002 RTP/AVP 111 97 8',
      'a=rtpmap:111 opus/48000/2',
      'a=rtpmap:97 PCMU/8000',
      'a=sendonly',
    ),
  )!;
  const text = writeAnswer(local, offer).toString();
  assert.match(text, /m=video 0 RTP\/AVP 96\r\nm=audio 20000 RTP\/AVP 97\r\na=rtpmap:97 PCMU\/8000\r\n/);
  assert.match(text, /a=recvonly\r\n$/);
});

test('addresses, ports and directions of the session and of the stream', () => {
  const read = (...lines: string[]) => parseSdp(sdp(...lines));
  const own = read(
    'c=IN IP4 192.0.2.7',
    't=0 0',
    'a=inactive',
    'm=audio 4000 RTP/AVP 0',
    'c=IN IP4 192.0.2.8',
    'a=rtcp:4444',
  )!;
  assert.deepEqual(
    [own.address, own.port, own.rtcpPort, own.direction],
    ['192.0.2.8', 4_000, 4_444, 'inactive'],
  );
  assert.equal(isListening(own), false);
  const held = read('c=IN IP4 0.0.0.0', 't=0 0', 'm=audio 4000 RTP/AVP 0')!;
  assert.equal(isListening(held), false);
  const six = read('c=IN IP6 2001:db8::1', 't=0 0', 'm=audio 4000/1 RTP/AVP 8')!;
  assert.equal(six.address, '2001:db8::1');
  assert.equal(isListening(six), true);
  assert.equal(read(...common, 'm=audio 0 RTP/AVP 8')?.port, 0);
});

test('an offer without audio for us is refused', () => {
  for (const lines of [
    [],
    ['m=audio 4000 RTP/AVP 8'],
    [...common, 'm=audio 70000 RTP/AVP 8'],
    [...common, 'm=audio x RTP/AVP 8'],
    [...common, 'm=audio 4000 RTP/SAVP 8'],
    [...common, 'm=video 4000 RTP/AVP 96'],
    ['c=IN IP4 example.com', 'm=audio 4000 RTP/AVP 8'],
  ]) {
    assert.equal(parseSdp(sdp(...lines)), undefined, lines.join(' | '));
  }
  assert.equal(parseSdp(Buffer.from('')), undefined);
});

test('any text is read or refused', () => {
  const line = fc.oneof(
    fc.constantFrom(
      'v=0',
      'c=IN IP4 1.2.3.4',
      'm=audio 1 RTP/AVP 8',
      'a=rtpmap:8 PCMA/8000',
      'a=sendonly',
      'm=',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const read = parseSdp(Buffer.from(`v=0\r\n${lines.join('\r\n')}`));
      if (read) writeAnswer(local, read);
    }),
  );
});
