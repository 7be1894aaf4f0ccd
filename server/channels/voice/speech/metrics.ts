import { counter, histogram, sharedGauge } from '../../../kit/observability/metrics.ts';

/** Texts needed as audio, by source: `memory`, `disk`, `engine`, `failed`. */
export const spoken = counter(
  'carillon_speech_texts_total',
  'Texts that calls needed as audio, by source: memory, disk, engine (rendered), or failed.',
  'from',
);

export const renderSeconds = histogram(
  'carillon_speech_render_seconds',
  'Time that the engine needed for one text.',
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
);

export const storedBytes = sharedGauge(
  'max',
  'carillon_speech_stored_bytes',
  'Size of the rendered audio on disk.',
);
