import type { paths } from '../../api/schema.ts';
import type { Tone } from '../../components/values.tsx';

export type Import =
  paths['/v1/imports']['get']['responses'][200]['content']['application/json']['imports'][number];

export const toneOf: Readonly<Record<Import['state'], Tone>> = {
  receiving: 'busy',
  waiting: 'neutral',
  running: 'busy',
  done: 'good',
  stopped: 'warning',
  failed: 'bad',
};
