/**
 * Zero crossings of the filter on each side. They give -60 dB outside the band, more than a telephone can reproduce.
 */
const CROSSINGS = 16;
/** End of the band, as a fraction of half the lower rate, with room for the filter to fall. */
const BAND = 0.92;
/** Maximum number of different filters; no speech engine has rates whose ratio needs more. */
const MAX_PHASES = 4_096;

/**
 * Converts 16-bit samples from one rate to another: band-limited interpolation with a windowed sinc, so that
 * frequencies above the new band do not become noise. Throws RangeError for rates that are not whole numbers or need
 * more than MAX_PHASES filters.
 */
export function resample(samples: Int16Array, from: number, to: number): Int16Array {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 1 || to < 1) throw new RangeError('no rate');
  if (from === to || samples.length === 0) return samples;
  const common = divisor(from, to);
  const step = from / common;
  const phases = to / common;
  if (phases > MAX_PHASES) throw new RangeError(`cannot bring ${from} to ${to} samples a second`);
  // In samples of the source. A lower target rate narrows the band.
  const cutoff = Math.min(1, to / from) * BAND;
  const reach = Math.ceil(CROSSINGS / cutoff);
  const filters = Array.from({ length: phases }, (_, phase) => filterOf(phase / phases, cutoff, reach));
  const length = Math.floor(((samples.length - 1) * phases) / step) + 1;
  const out = new Int16Array(length);
  for (let i = 0; i < length; i++) {
    const position = i * step;
    const base = Math.floor(position / phases);
    const filter = filters[position % phases]!;
    let sum = 0;
    const first = Math.max(0, reach - base);
    const last = Math.min(filter.length, samples.length - base + reach);
    for (let tap = first; tap < last; tap++) sum += filter[tap]! * samples[base - reach + tap]!;
    out[i] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return out;
}

/** Returns the weights of the samples `-reach` to `reach` around a position `offset` after a sample; their sum is 1. */
function filterOf(offset: number, cutoff: number, reach: number): Float64Array {
  const filter = new Float64Array(reach * 2 + 1);
  let sum = 0;
  for (let tap = 0; tap < filter.length; tap++) {
    const distance = tap - reach - offset;
    const x = Math.PI * distance * cutoff;
    const window =
      Math.abs(distance) >= reach + 1 ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * distance) / (reach + 1));
    filter[tap] = (x === 0 ? 1 : Math.sin(x) / x) * window;
    sum += filter[tap]!;
  }
  for (let tap = 0; tap < filter.length; tap++) filter[tap] = filter[tap]! / sum;
  return filter;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
