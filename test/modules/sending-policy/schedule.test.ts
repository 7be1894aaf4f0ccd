import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DateTime } from 'luxon';
import { timeZonesOf } from '../../../server/kit/numbers/countries.ts';
import { type WeekHours, weekdays } from '../../../server/kit/week-hours.ts';
import { usualRestDays } from '../../../server/modules/sending-policy/policy.ts';
import { isRestDay } from '../../../server/modules/sending-policy/rest-days.ts';
import {
  firstPermitted,
  permittedWithin,
  type Schedule,
} from '../../../server/modules/sending-policy/schedule.ts';
import { random } from '../../torture/random.ts';

/* When something may be sent: hours, closed dates, several zones, daylight saving, Shabbat and holidays. */

const JERUSALEM = 'Asia/Jerusalem';
const HOUR = 3_600_000;
const everyDay = (...spans: string[]): WeekHours =>
  Object.fromEntries(weekdays.map((day) => [day, spans])) as unknown as WeekHours;
const scheduleOf = (over: Partial<Schedule>): Schedule => ({
  ...{ hours: null, closedDates: new Set(), zones: [JERUSALEM], restDays: null, ownHours: null },
  ...over,
});
const at = (text: string, zone = JERUSALEM) => DateTime.fromISO(text, { zone }).toMillis();
/** The first permitted time, as it is written in a zone. */
function nextOf(over: Partial<Schedule>, time: string, zone = JERUSALEM): string | null {
  const from = at(time, zone);
  const span = firstPermitted(scheduleOf(over), from);
  return span && DateTime.fromMillis(Math.max(from, span.begins), { zone }).toFormat("yyyy-MM-dd'T'HH:mm");
}

test('without anything set it is always permitted', () => {
  assert.equal(nextOf({}, '2027-01-05T03:00'), '2027-01-05T03:00');
});

test('outside the hours the permitted time is their start, inside it is now', () => {
  const hours = everyDay('08:00-13:00', '16:00-20:00');
  assert.equal(nextOf({ hours }, '2027-01-05T03:00'), '2027-01-05T08:00');
  assert.equal(nextOf({ hours }, '2027-01-05T09:30'), '2027-01-05T09:30');
  assert.equal(nextOf({ hours }, '2027-01-05T13:00'), '2027-01-05T16:00');
  assert.equal(nextOf({ hours }, '2027-01-05T20:00'), '2027-01-06T08:00');
});

test('hours continue after midnight, but not into a closed date', () => {
  const hours = everyDay('20:00-02:00');
  assert.equal(nextOf({ hours }, '2027-01-05T01:00'), '2027-01-05T01:00');
  assert.equal(
    nextOf({ hours, closedDates: new Set(['2027-01-05']) }, '2027-01-05T01:00'),
    '2027-01-06T20:00',
  );
});

test('closed dates alone close from midnight to midnight', () => {
  const closedDates = new Set(['2027-01-05', '2027-01-06']);
  assert.equal(nextOf({ closedDates }, '2027-01-04T23:59'), '2027-01-04T23:59');
  assert.equal(nextOf({ closedDates }, '2027-01-05T00:00'), '2027-01-07T00:00');
});

test('in several zones it has to be permitted in all of them', () => {
  const hours = everyDay('08:00-20:00');
  const zones = timeZonesOf('US');
  assert.ok(zones.includes('Pacific/Honolulu') && zones.includes('America/New_York'));
  // 08:00 in Honolulu is 13:00 in New York, where it closes at 20:00.
  assert.equal(nextOf({ hours, zones }, '2027-01-05T09:00', 'America/New_York'), '2027-01-05T13:00');
  assert.equal(nextOf({ hours, zones }, '2027-01-05T20:00', 'America/New_York'), '2027-01-06T13:00');
});

test('hours of a send only narrow those of the policy', () => {
  const hours = everyDay('08:00-20:00');
  assert.equal(nextOf({ hours, ownHours: '06:00-10:00' }, '2027-01-05T06:30'), '2027-01-05T08:00');
  assert.equal(nextOf({ hours, ownHours: '06:00-10:00' }, '2027-01-05T10:00'), '2027-01-06T08:00');
  assert.equal(nextOf({ hours, ownHours: '21:00-22:00' }, '2027-01-05T10:00'), null);
  assert.equal(nextOf({ ownHours: '21:00-22:00' }, '2027-01-05T10:00'), '2027-01-05T21:00');
});

test('an hour that daylight saving skips is moved forward, one that it repeats is open twice', () => {
  // 2027-03-26 at 02:00 clocks in Israel show 03:00; 2027-10-31 at 02:00 they show 01:00 again.
  assert.equal(nextOf({ hours: everyDay('02:30-05:00') }, '2027-03-26T00:00'), '2027-03-26T03:30');
  const night = scheduleOf({ hours: everyDay('00:00-03:00') });
  const begins = at('2027-10-31T00:00');
  assert.deepEqual(firstPermitted(night, begins), { begins, ends: begins + 4 * HOUR });
});

describe('Shabbat and holidays', () => {
  const restDays = usualRestDays;

  test('are days of the Hebrew calendar, the second ones outside Israel', () => {
    const restOn = (date: string, second_days = false) =>
      isRestDay(DateTime.fromISO(date, { zone: 'UTC' }), { second_days });
    // Dates of 5787 and 5788 as calendars print them.
    const year = [
      '2026-09-13',
      '2026-09-21',
      '2027-04-22',
      '2027-04-28',
      '2027-06-11',
      '2027-10-02',
      '2027-10-03',
    ];
    for (const date of year) assert.ok(restOn(date), date);
    for (const date of ['2027-04-23', '2027-04-29', '2026-10-04']) {
      assert.deepEqual([restOn(date), restOn(date, true)], [false, true], date);
    }
    // Hanukkah, Purim and the days between are as others.
    for (const date of ['2026-12-06', '2027-03-23', '2027-04-26']) assert.ok(!restOn(date, true), date);
  });

  test('begin before sunset on Friday and end after it on Saturday', () => {
    // Sunset in Jerusalem: 16:44 on Friday 2027-01-01, 16:45 on Saturday.
    assert.equal(nextOf({ restDays }, '2027-01-01T15:55'), '2027-01-01T15:55');
    const next = nextOf({ restDays }, '2027-01-01T16:30');
    assert.ok(next! >= '2027-01-02T17:20' && next! <= '2027-01-02T17:30', next!);
    assert.equal(nextOf({ restDays }, '2027-01-02T12:00'), next);
  });

  test('a holiday next to Shabbat is one time of rest', () => {
    // Rosh Hashanah 5788 is Saturday and Sunday, 2027-10-02 and 03.
    const next = nextOf({ restDays }, '2027-10-01T18:30');
    assert.ok(next! >= '2027-10-03T18:55' && next! <= '2027-10-03T19:10', next!);
  });

  test('after a day of rest the hours of the day still count', () => {
    const hours = everyDay('08:00-20:00');
    assert.match(nextOf({ restDays, hours }, '2027-01-01T18:00')!, /^2027-01-02T17:2/);
    assert.equal(nextOf({ restDays, hours }, '2027-10-01T18:30')!.slice(0, 13), '2027-10-03T19');
    // In June the rest ends after the hours.
    assert.equal(nextOf({ restDays, hours }, '2027-06-19T12:00'), '2027-06-20T08:00');
  });
});

test('for random schedules: the span is the first one, and nothing in it is closed', () => {
  const chance = random(20_271_031);
  const below = (most: number) => Math.floor(chance() * most);
  const minute = () => `${String(below(24)).padStart(2, '0')}:${['00', '30'][below(2)]}`;
  const zones = [JERUSALEM, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
  for (let round = 0; round < 60; round++) {
    const spans = Array.from({ length: 1 + below(2) }, () => `${minute()}-${minute()}`);
    const hours = everyDay(...spans.filter((span) => span.slice(0, 5) !== span.slice(6)));
    const schedule = scheduleOf({
      hours: below(4) === 0 ? null : hours,
      zones: zones.slice(below(4)).slice(0, 1 + below(2)),
      restDays: below(2) === 0 ? null : usualRestDays,
      closedDates: new Set(below(3) === 0 ? ['2027-03-27'] : []),
      ownHours: below(3) === 0 ? '09:00-17:00' : null,
    });
    const from = at('2027-03-24T00:00') + below(20 * 24 * 60) * 60_000;
    const span = firstPermitted(schedule, from);
    if (span === null) continue;
    assert.ok(span.ends > from && span.ends > span.begins);
    for (const time of [Math.max(from, span.begins), span.ends - 1])
      assert.ok(isOpenAt(schedule, time), String(time));
    for (let time = from; time < span.begins; time += HOUR / 2)
      assert.ok(!isOpenAt(schedule, time), String(time));
  }
});

/** Whether a time is permitted, read off the clock of each zone. */
function isOpenAt({ hours, closedDates, zones, restDays, ownHours }: Schedule, time: number): boolean {
  const isWithin = (text: string, zone: string) => {
    const now = DateTime.fromMillis(time, { zone });
    const written = now.toFormat('HH:mm');
    const [from, to] = text.split('-') as [string, string];
    if (from < to) return written >= from && written < to;
    // What began the day before ends at the midnight of a closed date.
    if (written >= from) return true;
    return written < to && !closedDates.has(now.minus({ days: 1 }).toISODate()!);
  };
  for (const zone of zones) {
    const date = DateTime.fromMillis(time, { zone });
    if (closedDates.has(date.toISODate()!)) return false;
    if (hours && !hours.monday.some((span) => isWithin(span, zone))) return false;
    if (ownHours && !isWithin(ownHours, zone)) return false;
  }
  if (!restDays) return true;
  const rest = firstPermitted({ ...schedule0, restDays }, time);
  return rest!.begins <= time;
}

const schedule0 = scheduleOf({});

test('the permitted periods of a day are cut to it', () => {
  const spansOf = (over: Partial<Schedule>, date: string) => {
    const day = DateTime.fromISO(date, { zone: JERUSALEM });
    const whole = { begins: day.toMillis(), ends: day.plus({ days: 1 }).toMillis() };
    return permittedWithin(scheduleOf(over), whole).map(({ begins, ends }) =>
      [begins, ends]
        .map((time) => DateTime.fromMillis(time, { zone: JERUSALEM }).toFormat('dd HH:mm'))
        .join(' to '),
    );
  };
  assert.deepEqual(spansOf({}, '2027-01-05'), ['05 00:00 to 06 00:00']);
  assert.deepEqual(spansOf({ hours: everyDay('08:00-13:00', '16:00-20:00') }, '2027-01-05'), [
    '05 08:00 to 05 13:00',
    '05 16:00 to 05 20:00',
  ]);
  assert.deepEqual(spansOf({ hours: everyDay('20:00-02:00') }, '2027-01-05'), [
    '05 00:00 to 05 02:00',
    '05 20:00 to 06 00:00',
  ]);
  const closedDates = new Set(['2027-01-05']);
  assert.deepEqual(spansOf({ closedDates }, '2027-01-05'), []);
  const hours = everyDay('08:00-20:00');
  assert.deepEqual(spansOf({ hours, ownHours: '18:00-23:00' }, '2027-01-05'), ['05 18:00 to 05 20:00']);
  // A Friday in winter, on which the rest begins at 16:10.
  const [friday] = spansOf({ hours, restDays: usualRestDays }, '2027-01-08');
  assert.match(friday!, /^08 08:00 to 08 16:1\d$/);
});
