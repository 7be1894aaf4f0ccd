/**
 * Samplers for requests that begin a trace, and for those whose callers send one. Names of the OpenTelemetry
 * specification.
 */
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplers)[number];

/** Settings of tracing. */
export interface TraceSettings {
  /** URL that receives the spans. */
  readonly url: string;
  /** May contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds for one attempt of an export, and for an export with all its attempts. */
  readonly timeoutMs: number;
  readonly exportMs: number;
  readonly isCompressed: boolean;
  readonly sampler: SamplerName;
  /** Sampling ratio from 0 to 1, for the samplers by ratio. */
  readonly ratio: number;
  /** Attributes of this process. */
  readonly resource: Readonly<Record<string, string>>;
  /** Spans per export, milliseconds between exports, and maximum waiting spans. */
  readonly batch: number;
  readonly delayMs: number;
  readonly queue: number;
  /** Traced requests per second of an account with a trace of the caller; 0 ignores callers' traces. */
  readonly callersPerSecond: number;
}
