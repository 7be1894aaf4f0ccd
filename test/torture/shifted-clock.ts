/*
 * Loaded before the service (`node --import`) by machines that shift its clock: `Date.now` and `new Date` are ahead of the
 * machine's time by the milliseconds in the file CLOCK_FILE, which is read ten times a second.
 */
import { readFileSync } from 'node:fs';

const LOOK_MS = 100;
const file = process.env.CLOCK_FILE;
const real = Date.now;
let ahead = 0;

function look(): void {
  try {
    ahead = Number(readFileSync(file!, 'utf8')) || 0;
  } catch {
    ahead = 0;
  }
}

if (file !== undefined) {
  look();
  setInterval(look, LOOK_MS).unref();
  Date.now = () => real() + ahead;
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, made) =>
      Reflect.construct(target, given.length === 0 ? [real() + ahead] : given, made),
  });
}
