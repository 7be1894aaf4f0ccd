import type { paths } from '../../api/schema.ts';

/** A subscriber as the service shows it. */
export type Subscriber =
  paths['/v1/subscribers']['get']['responses'][200]['content']['application/json']['subscribers'][number];
