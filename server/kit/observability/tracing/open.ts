import type { Logger } from '../log.ts';
import type { TraceSettings } from './settings.ts';
import type { Tracing } from './tracing.ts';

/** Starts tracing if it is configured. Only then is OpenTelemetry loaded, because its 40 modules need memory. */
export async function openTracing(
  settings: TraceSettings | undefined,
  log: Logger,
): Promise<Tracing | undefined> {
  if (!settings) return undefined;
  const { startTracing } = await import('./otel.ts');
  log.info({ collector: new URL(settings.url).host }, 'traces are exported');
  return startTracing(settings, log);
}
