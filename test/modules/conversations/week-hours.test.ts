import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DateTime } from 'luxon';
import {
  isOpen,
  type OpeningHours,
  type WeekHours,
  wasOpen,
  weekdays,
} from '../../../server/kit/week-hours.ts';

/* When it is open, in local time: over midnight, on closed dates, and when daylight saving begins and ends. */

const JERUSALEM = 'Asia/Jerusalem';
const week = (hours: Partial<WeekHours>): WeekHours =>
  ({ ...Object.fromEntries(weekdays.map((day) => [day, []])), ...hours }) as WeekHours;
const opening = (
  hours: Partial<WeekHours> | null,
  { zone = JERUSALEM, closed = [] }: { zone?: string; closed?: readonly string[] } = {},
): OpeningHours => ({ hours: hours && week(hours), closedDates: new Set(closed), zone });
const at = (text: string, zone = JERUSALEM) => DateTime.fromISO(text, { zone }).toMillis();

/** What of some local times is open. */
const openOf = (hours: OpeningHours, times: readonly string[]) =>
  times.filter((time) => isOpen(hours, at(time, hours.zone)));

describe('hours of a week', () => {
  test('have several spans a day, each without its end', () => {
    // 2027-06-14 is a Monday.
    const hours = opening({ monday: ['09:00-13:00', '16:00-19:00'] });
    const times = ['08:59', '09:00', '12:59', '13:00', '15:59', '16:00', '18:59', '19:00'];
    const onMonday = times.map((time) => `2027-06-14T${time}`);
    assert.deepEqual(openOf(hours, onMonday), [onMonday[1], onMonday[2], onMonday[5], onMonday[6]]);
    assert.deepEqual(openOf(hours, ['2027-06-13T10:00', '2027-06-15T10:00', '2027-06-21T10:00']), [
      '2027-06-21T10:00',
    ]);
  });

  test('without any are always open, and of no day always closed', () => {
    assert.equal(isOpen(opening(null), at('2027-06-14T03:00')), true);
    assert.equal(isOpen(opening({}), at('2027-06-14T12:00')), false);
    assert.equal(wasOpen(opening({}), at('2027-01-01T00:00'), at('2029-01-01T00:00')), false);
  });

  test('continue after midnight, into the day that follows, and are whole days', () => {
    // Saturday evening to Sunday morning.
    const night = opening({ saturday: ['20:00-02:00'] });
    const times = ['2027-06-12T19:59', '2027-06-12T20:00', '2027-06-13T01:59', '2027-06-13T02:00'];
    assert.deepEqual(openOf(night, times), times.slice(1, 3));
    assert.deepEqual(openOf(night, ['2027-06-12T01:00']), []);
    const whole = opening({ monday: ['00:00-24:00'] });
    assert.deepEqual(
      openOf(whole, ['2027-06-13T23:59', '2027-06-14T00:00', '2027-06-14T23:59', '2027-06-15T00:00']),
      ['2027-06-14T00:00', '2027-06-14T23:59'],
    );
  });

  test('are those of the zone', () => {
    const noon = Date.parse('2027-06-14T12:00:00Z');
    const hours = { monday: ['14:00-16:00'] };
    assert.equal(isOpen(opening(hours), noon), true, 'it is 15:00 in Jerusalem');
    assert.equal(isOpen(opening(hours, { zone: 'Europe/London' }), noon), false, 'it is 13:00 in London');
    assert.equal(isOpen(opening(hours, { zone: 'America/New_York' }), noon), false);
    // In Auckland Monday has become Tuesday.
    assert.equal(isOpen(opening({ tuesday: ['00:00-01:00'] }, { zone: 'Pacific/Auckland' }), noon), true);
  });
});

describe('closed dates', () => {
  test('are closed from midnight to midnight, including hours that continue from the evening before', () => {
    const hours = opening(
      { friday: ['20:00-03:00'], saturday: ['10:00-12:00', '20:00-03:00'] },
      {
        closed: ['2027-06-12'],
      },
    );
    const times = [
      '2027-06-11T23:59',
      '2027-06-12T00:00',
      '2027-06-12T02:00',
      '2027-06-12T11:00',
      '2027-06-12T21:00',
      '2027-06-13T01:00',
      '2027-06-19T11:00',
    ];
    assert.deepEqual(openOf(hours, times), ['2027-06-11T23:59', '2027-06-19T11:00']);
    assert.equal(isOpen(opening(null, { closed: ['2027-06-12'] }), at('2027-06-12T12:00')), false);
    assert.equal(isOpen(opening(null, { closed: ['2027-06-12'] }), at('2027-06-13T00:00')), true);
  });

  test('end where the day ends in the zone', () => {
    const hours = opening(null, { zone: 'America/Los_Angeles', closed: ['2027-06-12'] });
    assert.equal(isOpen(hours, Date.parse('2027-06-12T06:59:00Z')), true);
    assert.equal(isOpen(hours, Date.parse('2027-06-12T07:00:00Z')), false);
    assert.equal(isOpen(hours, Date.parse('2027-06-13T06:59:00Z')), false);
    assert.equal(isOpen(hours, Date.parse('2027-06-13T07:00:00Z')), true);
  });
});

describe('daylight saving', () => {
  // In Israel clocks go from 2:00 to 3:00 on Friday 2027-03-26, and from 2:00 back to 1:00 on Sunday 2027-10-31.
  test('moves hours that it skips forward', () => {
    const hours = opening({ friday: ['02:30-04:00'] });
    const minutes = (from: string) => at('2027-03-26T00:00') + Number(from) * 60_000;
    // 150 minutes after midnight it is 3:30.
    assert.equal(isOpen(hours, minutes('149')), false);
    assert.equal(isOpen(hours, minutes('150')), true);
    assert.equal(isOpen(hours, at('2027-03-26T03:59')), true);
    assert.equal(isOpen(hours, at('2027-03-26T04:00')), false);
  });

  test('makes a night an hour longer, and hours of the day stay where they are', () => {
    const night = opening({ saturday: ['22:00-03:00'] });
    const begins = at('2027-10-30T22:00');
    const hour = 3_600_000;
    assert.equal(isOpen(night, begins + 6 * hour - 1), true, 'the hour from 1:00 came twice');
    assert.equal(isOpen(night, begins + 6 * hour), false);
    const day = opening({ sunday: ['09:00-17:00'] });
    assert.equal(isOpen(day, Date.parse('2027-10-31T07:00:00Z')), true, '9:00 of winter time');
    assert.equal(isOpen(day, Date.parse('2027-10-31T06:59:00Z')), false);
    assert.equal(isOpen(day, Date.parse('2027-10-24T06:00:00Z')), true, '9:00 of summer time');
  });

  test('shortens a night by an hour', () => {
    const night = opening({ thursday: ['23:00-05:00'] });
    const begins = at('2027-03-25T23:00');
    assert.equal(isOpen(night, begins + 5 * 3_600_000 - 1), true);
    assert.equal(isOpen(night, begins + 5 * 3_600_000), false);
  });

  test('begins days at 1:00 where it skips midnight', () => {
    // In Beirut 2027-03-28 begins at 1:00.
    const hours = opening({ sunday: ['00:00-02:00'] }, { zone: 'Asia/Beirut' });
    const first = DateTime.fromISO('2027-03-28', { zone: 'Asia/Beirut' }).startOf('day').toMillis();
    assert.equal(isOpen(hours, first - 1), false);
    assert.equal(isOpen(hours, first), true);
    assert.equal(isOpen(hours, first + 3_600_000), false);
  });
});

test('whether it was open in between', () => {
  const hours = opening({ sunday: ['09:00-17:00'], monday: ['09:00-17:00'] }, { closed: ['2027-06-21'] });
  const was = (from: string, to: string) => wasOpen(hours, at(from), at(to));
  // 2027-06-13 is a Sunday.
  assert.equal(was('2027-06-13T17:00', '2027-06-14T08:59'), false);
  assert.equal(was('2027-06-13T17:00', '2027-06-14T09:00'), true);
  assert.equal(was('2027-06-13T16:59', '2027-06-13T20:00'), true);
  assert.equal(was('2027-06-14T17:00', '2027-06-19T12:00'), false);
  assert.equal(was('2027-06-14T17:00', '2027-06-20T12:00'), true);
  assert.equal(was('2027-06-20T17:00', '2027-06-26T12:00'), false, 'the Monday is closed');
  assert.equal(was('2027-06-10T12:00', '2027-07-20T12:00'), true);
});
