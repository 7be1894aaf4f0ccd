/** Which requests are traced that begin a trace, and those whose callers say so. Names of the OpenTelemetry specification. */
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplers)[number];

/** What tracing is started with. */
export interface TraceSettings {
  /** Where spans are posted. */
  readonly url: string;
  /** Secrets among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** How long one attempt of an export may take, and an export with its further attempts, in milliseconds. */
  readonly timeoutMs: number;
  readonly exportMs: number;
  readonly isCompressed: boolean;
  readonly sampler: SamplerName;
  /** From 0 to 1, of the samplers by ratio. */
  readonly ratio: number;
  /** What is said of this process. */
  readonly resource: Readonly<Record<string, string>>;
  /** Spans are exported so many at a time, or after `delayMs`; of those that wait so many are kept. */
  readonly batch: number;
  readonly delayMs: number;
  readonly queue: number;
  /** Requests a second of an account that are traced with a trace of the caller; 0: callers' traces are ignored. */
  readonly callersPerSecond: number;
}
