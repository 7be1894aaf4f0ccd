import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientTransaction } from '../../../server/protocols/sip/client-transaction.ts';
import {
  Headers,
  type SipMessage,
  writeRequest,
  writeResponse,
} from '../../../server/protocols/sip/message.ts';
import { parseMessage } from '../../../server/protocols/sip/parser.ts';
import { ServerTransaction } from '../../../server/protocols/sip/server-transaction.ts';
import type { Flow } from '../../../server/protocols/sip/transport.ts';
import { waitFor } from '../../support/wait-for.ts';

const T1_MS = 5;

/** A way to nowhere, that keeps what was sent. */
function flow(): Flow & { readonly sent: SipMessage[] } {
  const sent: SipMessage[] = [];
  const peer = { address: '192.0.2.1', port: 5062 };
  return { peer, closed: false, sent, send: (bytes) => sent.push(parseMessage(bytes)) };
}

function headersOf(method: string): Headers {
  return new Headers()
    .add('Via', 'SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bK1;rport')
    .add('Route', '<sip:proxy.example.com;lr>')
    .add('From', '<sip:a@example.com>;tag=a')
    .add('To', '<sip:b@example.com>')
    .add('Call-ID', 'call')
    .add('CSeq', `1 ${method}`);
}

function client(method: string, reliable = false) {
  const way = flow();
  const heard: (number | string)[] = [];
  let ended = false;
  const transaction = new ClientTransaction({
    request: { method, uri: 'sip:b@example.com', headers: headersOf(method) },
    flow: way,
    reliable,
    t1Ms: T1_MS,
    events: {
      response: ({ status }) => heard.push(status),
      failed: (reason) => heard.push(reason),
    },
    ended: () => {
      ended = true;
    },
  });
  transaction.start();
  const take = (status: number) => {
    const headers = headersOf(method).set('To', '<sip:b@example.com>;tag=b');
    const response = parseMessage(writeResponse(status, headers));
    assert.ok(response.kind === 'response');
    transaction.take(response);
  };
  const methods = () => way.sent.map((message) => message.kind === 'request' && message.method);
  return { transaction, take, heard, methods, sent: way.sent, isEnded: () => ended };
}

test('an INVITE goes again until something answers, with pauses that double', async () => {
  const { take, sent, heard, methods, transaction } = client('INVITE');
  await waitFor('copies', () => sent.length === 4);
  take(180);
  assert.equal(transaction.isProceeding, true);
  const count = sent.length;
  take(183);
  take(486);
  assert.deepEqual(heard, [180, 183, 486]);
  assert.deepEqual(methods().slice(count), ['ACK']);
  const ack = sent.at(-1)!;
  assert.equal(ack.via.branch, 'z9hG4bK1');
  assert.equal(ack.toTag, 'b');
  assert.equal(ack.sequence, 1);
  assert.deepEqual(ack.headers.list('Route'), ['<sip:proxy.example.com;lr>']);
  // It came again since our ACK was lost: acknowledged again, and nobody is told twice.
  take(486);
  assert.deepEqual(methods().slice(count), ['ACK', 'ACK']);
  assert.deepEqual(heard, [180, 183, 486]);
  transaction.end();
});

test('every 2xx of an INVITE is passed on, and none is acknowledged by the transaction', () => {
  const { take, heard, methods, transaction } = client('INVITE');
  take(200);
  take(200);
  take(180);
  take(486);
  assert.deepEqual(heard, [200, 200]);
  assert.deepEqual(methods(), ['INVITE']);
  transaction.end();
});

test('what nobody answers fails once after 64 × T1 and is forgotten', async () => {
  for (const method of ['INVITE', 'OPTIONS']) {
    const { heard, isEnded, take, sent } = client(method);
    await waitFor('the end', isEnded);
    assert.deepEqual(heard, ['timeout']);
    assert.ok(sent.length >= 3, `${sent.length} copies of ${method}`);
    take(200);
    assert.deepEqual(heard, ['timeout']);
  }
});

test('an INVITE that rings waits; another request continues', async () => {
  const invite = client('INVITE');
  const options = client('OPTIONS');
  invite.take(180);
  options.take(100);
  await waitFor('the end of OPTIONS', options.isEnded);
  assert.deepEqual(options.heard, [100, 'timeout']);
  assert.deepEqual(invite.heard, [180]);
  assert.deepEqual(invite.methods(), ['INVITE']);
  invite.transaction.end();
});

test('over a reliable transport nothing goes twice, and final answers end it', async () => {
  for (const method of ['INVITE', 'OPTIONS']) {
    const { take, isEnded, methods } = client(method, true);
    take(404);
    await waitFor('the end', isEnded);
    assert.deepEqual(methods(), method === 'INVITE' ? ['INVITE', 'ACK'] : ['OPTIONS']);
  }
});

test('a connection that is lost fails what is open, and nothing else', () => {
  const open = client('INVITE', true);
  open.transaction.fail('transport');
  assert.deepEqual(open.heard, ['transport']);
  const answered = client('INVITE', true);
  answered.take(200);
  answered.transaction.fail('transport');
  assert.deepEqual(answered.heard, [200]);
});

function server(method: string, reliable = false) {
  const way = flow();
  let ended = false;
  const request = parseMessage(writeRequest(method, 'sip:b@example.com', headersOf(method)));
  assert.ok(request.kind === 'request');
  const forget = () => {
    ended = true;
  };
  const transaction = new ServerTransaction({
    request,
    from: way,
    flow: way,
    reliable,
    t1Ms: T1_MS,
    ended: forget,
  });
  const statuses = () => way.sent.map((message) => message.kind === 'response' && message.status);
  const ack = () => {
    const message = parseMessage(writeRequest('ACK', 'sip:b@example.com', headersOf('ACK')));
    assert.ok(message.kind === 'request');
    transaction.acknowledge(message);
  };
  return { transaction, sent: way.sent, statuses, ack, isEnded: () => ended };
}

test('an answer has the request’s fields, one tag, and where the request came from', () => {
  const { transaction, sent } = server('OPTIONS');
  transaction.respond(200, { headers: [['Allow', 'OPTIONS']] });
  const [answer] = sent;
  assert.equal(answer!.toTag, transaction.tag);
  assert.equal(answer!.callId, 'call');
  assert.equal(answer!.cseqMethod, 'OPTIONS');
  assert.equal(answer!.via.params.get('rport'), '5062');
  assert.equal(answer!.via.params.get('received'), '192.0.2.1');
  assert.equal(answer!.headers.get('Allow'), 'OPTIONS');
  transaction.end();
});

test('a request that comes again is answered as before, and a second answer is not given', () => {
  const { transaction, statuses } = server('BYE');
  transaction.repeat();
  assert.deepEqual(statuses(), []);
  transaction.respond(200);
  transaction.respond(500);
  transaction.repeat();
  assert.deepEqual(statuses(), [200, 200]);
  transaction.end();
});

for (const [status, reliable] of [
  [486, false],
  [200, false],
  [200, true],
] as const) {
  const over = reliable ? 'TCP' : 'UDP';
  test(`${status} to INVITE over ${over} goes again until ACK comes`, async () => {
    const { transaction, statuses, ack, isEnded } = server('INVITE', reliable);
    let acknowledged = 0;
    transaction.onAck = () => acknowledged++;
    transaction.respond(180);
    transaction.respond(status);
    await waitFor('copies', () => statuses().length >= 4);
    ack();
    const count = statuses().length;
    ack();
    transaction.repeat();
    await waitFor('the end', isEnded);
    assert.equal(statuses().length, count);
    assert.equal(acknowledged, status === 200 ? 1 : 0);
  });
}

test('an answer that is never acknowledged: the end, and for 2xx a word', async () => {
  for (const status of [200, 486]) {
    const { transaction, isEnded } = server('INVITE');
    let missed = 0;
    transaction.onNoAck = () => missed++;
    transaction.respond(status);
    await waitFor('the end', isEnded);
    assert.equal(missed, status === 200 ? 1 : 0);
  }
});

test('a refusal of an INVITE over TCP goes once', async () => {
  const { transaction, statuses, ack, isEnded } = server('INVITE', true);
  transaction.respond(603);
  ack();
  await waitFor('the end', isEnded);
  assert.deepEqual(statuses(), [603]);
});
