import { setTimeout as pause } from 'node:timers/promises';
import type { EventType, WebhookEvent } from '../../../client/src/index.ts';
import { webhookHeaders } from '../../engine/events/payloads.ts';
import { eventTypes } from '../../engine/events/types.ts';
import { CommandError, print } from '../with-app-context.ts';
import { connect, type RemoteOptions, readUrl, webhookSecret } from './connection.ts';

/** As webhooks have it (docs/events.md). */
const ANSWER_MS = 10_000;
/** A program that is just being started again. */
const RETRIES_MS = [500, 1_500];
/** Ids of events that are remembered, since a stream that goes on tells some twice. */
const REMEMBERED = 10_000;

interface ListenOptions extends RemoteOptions {
  readonly forward?: string;
  readonly events?: string;
  readonly replay?: string;
}

/** `listen`: prints the events of the account as they happen, and forwards each to an address, signed as a webhook. */
export async function listen(options: ListenOptions): Promise<void> {
  const { json, events, replay } = options;
  const client = connect(options);
  const forward = options.forward === undefined ? undefined : readUrl(options.forward);
  const types = events?.split(',').map((type) => type.trim() as EventType);
  const unknown = types?.find((type) => !eventTypes.includes(type));
  if (unknown !== undefined) {
    throw new CommandError(`there is no event type ${unknown}; there are ${eventTypes.join(', ')}`);
  }
  const secret = forward === undefined ? undefined : webhookSecret();
  const handle = async (id: string, type: string, body: string): Promise<boolean> => {
    const outcome = forward === undefined ? undefined : await forwardEvent(forward, secret!, id, body);
    const { timestamp, data } = JSON.parse(body) as { timestamp: string; data: object };
    const words = outcome === undefined ? JSON.stringify(data) : `-> ${outcome.words}`;
    print(
      json,
      { id, type, timestamp, data, ...(outcome && { forwarded: outcome }) },
      `${timestamp}  ${type}  ${id}  ${words}`,
    );
    return outcome?.done ?? true;
  };
  if (replay !== undefined) {
    const {
      event_id: id,
      type,
      body,
    } = await client.request('GET /v1/events/{id}', { path: { id: replay } });
    if (!(await handle(id, type, body))) process.exitCode = 1;
    return;
  }
  const seen = new Set<string>();
  let isReady = false;
  const onOpen = () => {
    if (!isReady) console.error(readyWords(forward, secret));
    isReady = true;
  };
  for await (const event of client.events(types ? { types } : {}, { onOpen })) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!);
    await handle(event.id, event.type, bodyOf(event));
  }
}

function readyWords(forward: string | undefined, secret: string | undefined): string {
  if (forward === undefined) return 'Listening. Ctrl+C ends it.';
  return `Listening, forwarding to ${forward}. Ctrl+C ends it.\nWebhook secret: ${secret}`;
}

/** The body of the webhook: the event without its id, which is a header. */
function bodyOf({ type, timestamp, data }: WebhookEvent): string {
  return JSON.stringify({ type, timestamp, data });
}

/** How an address took an event. */
interface Outcome {
  readonly done: boolean;
  readonly status: number | null;
  readonly ms: number;
  readonly words: string;
}

/** Sends an event as a webhook; again shortly after when nobody listens there yet. */
async function forwardEvent(url: string, secret: string, id: string, body: string): Promise<Outcome> {
  for (const wait of RETRIES_MS) {
    const outcome = await attempt(url, secret, id, body);
    if (outcome.status !== null) return outcome;
    await pause(wait);
  }
  return attempt(url, secret, id, body);
}

async function attempt(url: string, secret: string, id: string, body: string): Promise<Outcome> {
  const began = performance.now();
  const keys = [Buffer.from(secret.replace(/^whsec_/, ''), 'base64')];
  const flat = webhookHeaders(keys, { key: id }, Date.now(), body);
  const headers = new Headers({ 'content-type': 'application/json', 'user-agent': 'carillon-listen' });
  for (let i = 0; i < flat.length; i += 2) headers.set(flat[i]!, flat[i + 1]!);
  const measured = () => Math.round(performance.now() - began);
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const {
      status,
      ok,
      body: answer,
    } = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await answer?.cancel();
    return { done: ok, status, ms: measured(), words: `${status} (${measured()} ms)` };
  } catch (error) {
    const { message, cause } = error as Error;
    const why =
      cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
    return { done: false, status: null, ms: measured(), words: `not taken: ${why}` };
  }
}
