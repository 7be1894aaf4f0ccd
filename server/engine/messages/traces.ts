import { Refusal } from '../../kit/errors.ts';
import { type Attributes, currentSpan, type Tracing } from '../../kit/observability/tracing/tracing.ts';

/** Returns the attributes of spans about messages, by the semantic conventions of OpenTelemetry for messaging. */
export function messagingAttributes(
  type: 'send' | 'process' | 'settle',
  operation: string,
  channel: string,
): Attributes {
  return {
    'messaging.system': 'carillon',
    'messaging.operation.type': type,
    'messaging.operation.name': operation,
    'messaging.destination.name': channel,
  };
}

/** Returns a name of the error that reveals nothing about a message. */
export const faultName = (error: unknown): string =>
  error instanceof Refusal ? error.code : error instanceof Error ? error.constructor.name : 'unknown';

/**
 * Accepts messages of the current request, in a span if the request is traced. `work` gets the trace context for its
 * messages; its result is returned and its errors are thrown.
 */
export async function accepting<T>(
  tracing: Tracing | undefined,
  channel: string,
  count: number,
  work: (trace: string | undefined) => Promise<T>,
): Promise<T> {
  const request = tracing && currentSpan();
  if (!request) return work(undefined);
  const span = tracing.span(request.trace, `accept ${channel}`, {
    kind: 'producer',
    attributes: {
      ...messagingAttributes('send', 'accept', channel),
      'messaging.batch.message_count': count,
    },
  });
  let error: string | undefined;
  try {
    return await work(span.trace);
  } catch (thrown) {
    error = faultName(thrown);
    throw thrown;
  } finally {
    span.end({ error });
  }
}

/** Runs work for a group of requests or messages, in a span with links to the traces of its traced members. */
export async function inGroup<T>(
  tracing: Tracing | undefined,
  name: string,
  members: () => { readonly traces: readonly string[]; readonly attributes: Attributes },
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing) return work();
  const { traces, attributes } = members();
  if (traces.length === 0) return work();
  const span = tracing.group(name, traces, { attributes: { 'db.system.name': 'postgresql', ...attributes } });
  let error: string | undefined;
  try {
    return await work();
  } catch (thrown) {
    error = faultName(thrown);
    throw thrown;
  } finally {
    span.end({ error });
  }
}
