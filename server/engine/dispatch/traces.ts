import type { Channels } from '../../channels/contract/channels.ts';
import { type Span, spanTime, type Tracing } from '../../kit/observability/tracing/tracing.ts';
import type { SubmitOutcome } from '../carriers/carrier.ts';
import { messagingAttributes } from '../messages/traces.ts';
import type { DueMessage } from './batches.ts';
import type { HeldConnector } from './held-connector.ts';
import type { FinalMessage, MessageResult } from './results.ts';

/** Whether a message is traced. */
export const isTraced = (message: DueMessage): message is TracedMessage => message.trace !== undefined;

type TracedMessage = DueMessage & { readonly trace: string };

/**
 * Creates the spans of a traced message at its submission: one for the time in the queue since it was due, and one for
 * the submission, which the caller ends with `endSubmit`. `now` is a time of the same clock as `dueAt`, in
 * milliseconds.
 */
export function beginSubmit(
  tracing: Tracing,
  channels: Channels,
  connector: HeldConnector,
  message: TracedMessage,
  now: number,
): Span {
  const { batch, trace } = message;
  const { name } = channels.of(batch.channel);
  const at = spanTime();
  const common = {
    'carillon.account_id': message.accountId,
    'carillon.message_id': message.id,
    'carillon.attempt': batch.attempt,
  };
  tracing
    .span(trace, `queue ${name}`, {
      startedAt: at - Math.max(0, now - batch.dueAt),
      attributes: {
        ...messagingAttributes('process', 'queue', name),
        ...common,
        'carillon.lane': batch.lane,
      },
    })
    .end({ at });
  return tracing.span(trace, `submit ${name}`, {
    kind: 'client',
    startedAt: at,
    attributes: {
      ...messagingAttributes('send', 'submit', name),
      ...common,
      'carillon.connector': connector.label,
    },
  });
}

/** Ends the span of a submission with the carrier's answer. */
export function endSubmit(span: Span, outcome: SubmitOutcome): void {
  const { kind } = outcome;
  span.set({ 'carillon.outcome': kind });
  if (kind === 'accepted') {
    span.set({ 'carillon.parts': outcome.carrierIds.length });
    span.end();
  } else if (kind === 'again') span.end();
  else span.end({ error: 'code' in outcome ? outcome.code : kind });
}

/** Creates the spans of messages that got their final status: from its report until it was stored. */
export function traceFinal(
  tracing: Tracing,
  channels: Channels,
  final: readonly FinalMessage[],
  startedAt: (message: FinalMessage) => number,
): void {
  for (const message of final) {
    if (!message.trace) continue;
    const { name } = channels.of(message.channel);
    tracing
      .span(message.trace, `settle ${name}`, {
        kind: 'consumer',
        startedAt: startedAt(message),
        attributes: {
          ...messagingAttributes('settle', 'settle', name),
          'carillon.account_id': message.account_id,
          'carillon.message_id': message.id,
          'carillon.message_status': message.status,
        },
      })
      .end();
  }
}

/** Returns the traces of results that are stored together. */
export const tracesOf = (results: readonly MessageResult[]): string[] =>
  results.flatMap(({ trace }) => trace ?? []);
