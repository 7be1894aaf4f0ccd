import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatLocal, parseLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';

const minute = 60_000;
const day = 86_400_000;

/** Times of 2026 at which the clocks of a zone are set, found from the offsets that Intl has. */
function changes(zone: string): number[] {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const offset = (time: number) =>
    format.formatToParts(time).find((part) => part.type === 'timeZoneName')!.value;
  const found: number[] = [];
  for (let time = Date.UTC(2026, 0, 1); time < Date.UTC(2027, 0, 1); time += day) {
    if (offset(time) === offset(time + day)) continue;
    let [low, high] = [time, time + day];
    while (high - low > minute) {
      const middle = Math.floor((low + high) / 2 / minute) * minute;
      if (offset(middle) === offset(low)) low = middle;
      else high = middle;
    }
    found.push(high);
  }
  return found;
}

const zones = [
  'Asia/Jerusalem',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'Pacific/Chatham',
  // Its clocks move by half an hour.
  'Australia/Lord_Howe',
  // Changes at midnight.
  'America/Santiago',
  'Africa/Cairo',
];

for (const zone of zones) {
  test(
    `${zone}: every minute around the changes is written and read back, a repeated one as the first`,
    covers('texts.daylight saving'),
    () => {
      const times = changes(zone);
      assert.equal(times.length, 2, 'clocks are set twice in 2026');
      for (const change of times) {
        const first = new Map<string, number>();
        for (let time = change - 4 * 60 * minute; time < change + 4 * 60 * minute; time += minute) {
          const text = formatLocal(time, zone);
          if (!first.has(text)) first.set(text, time);
          assert.equal(parseLocal(text, zone), first.get(text), `${text} at ${new Date(time).toISOString()}`);
        }
      }
    },
  );

  test(
    `${zone}: a time that the clocks skip is moved forward by what they skip`,
    covers('texts.daylight saving'),
    () => {
      for (const change of changes(zone)) {
        const before = formatLocal(change - minute, zone);
        for (let ahead = 1; ahead <= 60; ahead++) {
          // The minute after the last one before the change, counted on the clock's face.
          const [, date, hours, minutes] = /^(.{8}) (\d\d):(\d\d)$/.exec(before)!;
          const face = Number(hours) * 60 + Number(minutes) + ahead;
          if (face >= 24 * 60) break;
          const text = `${date} ${String(Math.floor(face / 60)).padStart(2, '0')}:${String(face % 60).padStart(2, '0')}`;
          const read = parseLocal(text, zone);
          assert.ok(read !== null);
          if (formatLocal(read, zone) !== text) assert.equal(read, change + (ahead - 1) * minute, text);
        }
      }
    },
  );
}

test('any minute of any zone is written and read back', () => {
  const known = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
  fc.assert(
    fc.property(
      fc.constantFrom(...known),
      fc.integer({ min: Date.UTC(2025, 0, 2) / minute, max: Date.UTC(2058, 0, 1) / minute }),
      (zone, minutes) => {
        const text = formatLocal(minutes * minute, zone);
        const read = parseLocal(text, zone);
        assert.ok(read !== null, `${zone} ${text}`);
        assert.equal(formatLocal(read, zone), text);
        // Where it is not the same minute, it is the first of two that are written alike.
        assert.ok(read <= minutes * minute && read > minutes * minute - 3 * 60 * minute, `${zone} ${text}`);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('known times', covers('texts.zone'), () => {
  assert.equal(parseLocal('01/01/26 00:00', 'Asia/Jerusalem'), Date.UTC(2025, 11, 31, 22));
  assert.equal(parseLocal('01/07/26 00:00', 'Asia/Jerusalem'), Date.UTC(2026, 5, 30, 21));
  // 27/03/26: from 02:00 to 03:00. 25/10/26: from 02:00 back to 01:00.
  assert.equal(parseLocal('27/03/26 02:30', 'Asia/Jerusalem'), Date.UTC(2026, 2, 27, 0, 30));
  assert.equal(formatLocal(Date.UTC(2026, 2, 27, 0, 30), 'Asia/Jerusalem'), '27/03/26 03:30');
  assert.equal(parseLocal('25/10/26 01:30', 'Asia/Jerusalem'), Date.UTC(2026, 9, 24, 22, 30));
  assert.equal(formatLocal(Date.UTC(2026, 9, 24, 23, 30), 'Asia/Jerusalem'), '25/10/26 01:30');
  assert.equal(formatLocal(Date.UTC(2026, 0, 1), 'UTC'), '01/01/26 00:00');
  assert.equal(
    parseLocal('01/07/2026 00:00', 'Asia/Jerusalem'),
    parseLocal('01/07/26 00:00', 'Asia/Jerusalem'),
  );
});

test('what is no such time is refused', () => {
  for (const text of [
    '',
    '1/1/26 0:0',
    '01-01-26 00:00',
    '01/01/226 00:00',
    '32/01/26 00:00',
    '29/02/26 00:00',
    '01/01/26 24:30',
    '01/01/26 00:60',
    '01/01/26',
    '01/01/26 00:00:60',
    '01/01/26T00:00',
    'null',
    '٠١/٠١/٢٦ ٠٠:٠٠',
  ]) {
    assert.equal(parseLocal(text, 'Asia/Jerusalem'), null, text);
  }
  assert.notEqual(parseLocal('29/02/28 00:00', 'Asia/Jerusalem'), null);
});

test('any text is a time or null, never an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789/: '), maxLength: 16 }), (text) => {
      const read = parseLocal(text, 'Asia/Jerusalem');
      assert.ok(read === null || Number.isSafeInteger(read));
    }),
    { numRuns: 2_000 },
  );
});
