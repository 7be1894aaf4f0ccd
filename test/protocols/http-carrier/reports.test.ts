import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { status } from '../../../server/kit/statuses.ts';
import {
  type HttpDescriptionInput,
  httpDescription,
} from '../../../server/protocols/http-carrier/description.ts';
import { CarrierDocument } from '../../../server/protocols/http-carrier/document.ts';
import { compileNotices } from '../../../server/protocols/http-carrier/reports.ts';
import { formDocument, jsonDocument, simple } from './support.ts';

const reader = (more: Partial<HttpDescriptionInput>) =>
  compileNotices(httpDescription.parse(simple('https://x.example', more)));

const reports: HttpDescriptionInput['reports'] = {
  each: '/results/*',
  id: '/id',
  status: '/state',
  states: { Done: 'delivered', gone: 'unreachable', late: 'expired' },
  code: ['/error/code', '/error'],
  to: '/to',
};

describe('reports', () => {
  test('one request has one or many, each with its own status and code', () => {
    const { receipts, unreadable } = reader({ reports })(
      jsonDocument({
        results: [
          { id: 'a', state: 'done', to: '+972 50-123' },
          { id: 'b', state: 'GONE', error: { code: 27 } },
          { id: 'c', state: 'late', error: 'x\ny' },
        ],
      }),
      'reports',
    );
    assert.deepEqual(receipts, [
      { carrierId: 'a', status: status.delivered, code: 'done', destination: '97250123' },
      { carrierId: 'b', status: status.outOfCoverage, code: 'GONE/27', destination: '' },
      { carrierId: 'c', status: status.expired, code: 'late/x y', destination: '' },
    ]);
    assert.equal(unreadable, 0);
  });

  test('an unknown status does not end the message', () => {
    const { receipts } = reader({ reports })(
      jsonDocument({ results: [{ id: 'a', state: 'new' }] }),
      'reports',
    );
    assert.deepEqual(receipts, [{ carrierId: 'a', status: status.sent, code: 'new', destination: '' }]);
  });

  test('a report without an id or a status is counted and dropped', () => {
    const results = [{ state: 'done' }, { id: 'a' }, { id: 'x'.repeat(200), state: 'done' }, 7];
    const found = reader({ reports })(jsonDocument({ results }), 'reports');
    assert.deepEqual([found.receipts.length, found.unreadable], [0, 4]);
    assert.equal(
      reader({ reports })(new CarrierDocument({ headers: {}, body: '{' }), 'reports').unreadable,
      0,
    );
  });

  test('a form in the body or in the query', () => {
    const form = { id: 'form:id', status: 'form:status', states: { ok: 'delivered' } } as const;
    const read = reader({ reports: form });
    assert.equal(read(formDocument({ id: '1', status: 'ok' }), 'reports').receipts[0]!.carrierId, '1');
    const get = new CarrierDocument({ headers: {}, query: 'id=2&status=ok', body: '' });
    assert.equal(read(get, 'reports').receipts[0]!.carrierId, '2');
  });

  test('XML', () => {
    const read = reader({
      reports: { id: 'xml:dlr/@id', status: 'xml:dlr/state', states: { ok: 'delivered' } },
    });
    const request = new CarrierDocument({ headers: {}, body: '<dlr id="7"><state>ok</state></dlr>' });
    assert.equal(read(request, 'reports').receipts[0]!.carrierId, '7');
  });
});

describe('incoming messages', () => {
  const incoming = { from: 'form:From', to: 'form:To', text: 'form:Body' };

  test('numbers have no plus, names and texts stay', () => {
    const read = reader({ incoming });
    const found = read(formDocument({ From: '+972 50-1234567', To: '12345', Body: ' Hi\n😀 ' }), 'incoming');
    assert.deepEqual(found.incoming, [{ from: '972501234567', to: '12345', text: ' Hi\n😀 ' }]);
    const named = read(formDocument({ From: 'Bank', To: '+1', Body: '' }), 'incoming');
    assert.deepEqual(named.incoming, [{ from: 'Bank', to: '1', text: '' }]);
  });

  test('a message without a sender or a recipient is counted and dropped', () => {
    assert.equal(reader({ incoming })(formDocument({ To: '1', Body: 'x' }), 'incoming').unreadable, 1);
  });

  test('without conditions each address has its own kind', () => {
    const read = reader({ incoming, reports: { id: 'form:Id', status: 'form:S', states: {} } });
    const both = formDocument({ From: '1', To: '2', Body: 'x', Id: '7', S: 'sent' });
    assert.deepEqual([read(both, 'reports').receipts.length, read(both, 'reports').incoming.length], [1, 0]);
    assert.deepEqual(
      [read(both, 'incoming').receipts.length, read(both, 'incoming').incoming.length],
      [0, 1],
    );
  });

  test('with conditions either address takes both', () => {
    const read = reader({
      reports: { when: { at: '/type', is: 'dlr' }, id: '/id', status: '/s', states: { ok: 'delivered' } },
      incoming: { when: { at: '/type', is: 'mo' }, from: '/from', to: '/to', text: '/text' },
    });
    for (const kind of ['reports', 'incoming'] as const) {
      assert.equal(read(jsonDocument({ type: 'dlr', id: '1', s: 'ok' }), kind).receipts.length, 1);
      assert.equal(
        read(jsonDocument({ type: 'mo', from: '1', to: '2', text: 'x' }), kind).incoming.length,
        1,
      );
      const other = read(jsonDocument({ type: 'ping' }), kind);
      assert.deepEqual([other.receipts.length, other.incoming.length, other.unreadable], [0, 0, 0]);
    }
  });
});
