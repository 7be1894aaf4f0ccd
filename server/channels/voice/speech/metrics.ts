import { Counter, Gauge, Histogram } from 'prom-client';
import { metrics } from '../../../observability/metrics.ts';

const registers = [metrics];

/** What asked for audio and where it came from: `memory`, `disk`, `engine`, `failed`. */
export const spoken = new Counter({
  name: 'carillon_speech_texts_total',
  help: 'Texts that calls needed as audio, by where it came from: memory, disk, engine (rendered), or failed.',
  labelNames: ['from'],
  registers,
});

export const renderSeconds = new Histogram({
  name: 'carillon_speech_render_seconds',
  help: 'Time that the engine took for one text.',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});

export const storedBytes = new Gauge({
  name: 'carillon_speech_stored_bytes',
  help: 'Rendered audio on disk.',
  registers,
});
