import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CALL_CHANNEL, TEXT_CHANNEL } from '../../../server/channels/contract/channels.ts';
import { type WaitReason, waitsOfMessage } from '../../../server/engine/messages/wait-timeline.ts';
import { idFloor } from '../../../server/kit/ids.ts';

/* How the stored waits of a message, and its times, become the waits of its timeline. Times are minutes. */

const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 24, 7);
const at = (minute: number) => START + minute * MINUTE;

const BATCH = idFloor(START);
const SHIPMENT = BATCH - 1;

interface Case {
  readonly rows?: readonly {
    readonly reason: WaitReason;
    readonly from: number;
    readonly until: number | null;
    readonly of?: 'batch' | 'shipment' | 'account';
    readonly attempts?: readonly number[];
  }[];
  /** Minute of the request, of the requested time, and of the submission; null while the message waits. */
  readonly begun?: number;
  readonly due?: number;
  readonly end: number | null;
  readonly now?: number;
  readonly outages?: readonly { readonly from: number; readonly until: number | null }[];
  readonly channel?: number;
}

const subjects = { batch: BATCH, shipment: SHIPMENT, account: 0 };

/** Returns the waits as [reason, first minute, last minute, attempts]. */
function waitsOf({
  rows = [],
  begun = 0,
  due = begun,
  end,
  now = 0,
  outages = [],
  channel = TEXT_CHANNEL,
}: Case) {
  const waits = waitsOfMessage(
    { id: BATCH, batch_id: BATCH, channel, connector: 'carrier-1', end: end === null ? null : at(end) },
    rows.map(({ reason, from, until, of = 'batch', attempts }) => ({
      subject_id: subjects[of],
      reason,
      from_at: at(from),
      until_at: until === null ? null : at(until),
      attempted_at: attempts?.map(at) ?? null,
      connector: null,
      code: null,
    })),
    {
      begun: at(begun),
      dueAt: at(due),
      now: at(now),
      outages: outages.map(({ from, until }) => ({
        from: at(from),
        until: until === null ? null : at(until),
      })),
    },
  );
  const minute = (time: number | null) => (time === null ? null : (time - START) / MINUTE);
  return waits.map(({ reason, from, until, attempts }) => [
    reason,
    minute(from),
    minute(until),
    ...(attempts === null ? [] : [attempts]),
  ]);
}

test('a message submitted without delay has no wait', () => {
  assert.deepEqual(waitsOf({ end: 0.05 }), []);
});

test('the time until the requested one is scheduled, and what follows is its turn', () => {
  assert.deepEqual(waitsOf({ due: 60, end: 60.01 }), [['scheduled', 0, 60]]);
  assert.deepEqual(waitsOf({ due: 60, end: 75 }), [
    ['scheduled', 0, 60],
    ['turn', 60, 75],
  ]);
});

test('a wait ends with the submission, and with the next wait', () => {
  const rows = [
    { reason: 'retry', from: 0, until: 30, attempts: [0, 10, 25] },
    { reason: 'frequency-cap', from: 20, until: 90 },
  ] as const;
  assert.deepEqual(waitsOf({ rows, end: 50 }), [
    ['retry', 0, 20, 2],
    ['frequency-cap', 20, 50],
  ]);
  assert.deepEqual(waitsOf({ rows, end: 15 }), [['retry', 0, 15, 2]]);
});

test('a pause and a suspension count for the time that nothing else explains', () => {
  const rows = [
    { reason: 'sending-hours', from: 0, until: 60 },
    { reason: 'paused', from: 30, until: 90, of: 'shipment' },
    { reason: 'suspended', from: 80, until: 120, of: 'account' },
  ] as const;
  assert.deepEqual(waitsOf({ rows, end: 120.01 }), [
    ['sending-hours', 0, 60],
    ['paused', 60, 90],
    ['suspended', 90, 120],
  ]);
});

test('a pause that ended before the requested time delayed nothing', () => {
  const rows = [{ reason: 'paused', from: 10, until: 20, of: 'shipment' }] as const;
  assert.deepEqual(waitsOf({ rows, due: 60, end: 60 }), [['scheduled', 0, 60]]);
});

test('a pause that began after the submission does not count', () => {
  assert.deepEqual(
    waitsOf({ rows: [{ reason: 'paused', from: 5, until: null, of: 'shipment' }], end: 0.01 }),
    [],
  );
});

test('the wait of a campaign before its messages were created is theirs', () => {
  const rows = [{ reason: 'sending-hours', from: -120, until: -0.01, of: 'shipment' }] as const;
  assert.deepEqual(waitsOf({ rows, begun: -121, due: -120, end: 0.01 }), [
    ['scheduled', -121, -120],
    ['sending-hours', -120, -0.01],
  ]);
});

test('an outage of the connector that took the message replaces its turn', () => {
  const outages = [
    { from: -5, until: 10 },
    { from: 20, until: 20.01 },
    { from: 30, until: null },
  ];
  assert.deepEqual(waitsOf({ outages, end: 40 }), [
    ['no-connection', 0, 10],
    ['turn', 10, 30],
    ['no-connection', 30, 40],
  ]);
});

test('a message that waits has waits without an end', () => {
  assert.deepEqual(waitsOf({ end: null, now: 20 }), [['turn', 0, null]]);
  assert.deepEqual(waitsOf({ end: null, due: 60, now: 20 }), [['scheduled', 0, 60]]);
  const rows = [{ reason: 'paused', from: 10, until: null, of: 'shipment' }] as const;
  assert.deepEqual(waitsOf({ rows, end: null, now: 20 }), [
    ['turn', 0, 10],
    ['paused', 10, null],
  ]);
  const retry = [{ reason: 'retry', from: 0, until: 25, attempts: [0] }] as const;
  assert.deepEqual(waitsOf({ rows: retry, end: null, now: 20 }), [['retry', 0, 25, 1]]);
});

test('the time of a call is no wait for its turn', () => {
  assert.deepEqual(waitsOf({ end: 1, channel: CALL_CHANNEL }), []);
});
