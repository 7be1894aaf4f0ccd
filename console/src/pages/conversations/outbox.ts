import { useSyncExternalStore } from 'react';
import { byId, client } from '../../api/client.ts';
import type { ReplyBody } from '../../api/conversation-queries.ts';
import type { ChatContent } from '../../api/sandbox-phone.ts';

/*
 * Outbox of replies: shows them immediately, sends them one after the other in each conversation, and keeps failed ones,
 * whatever page is open.
 */

/** A reply that the timeline does not have yet. */
export interface Outgoing {
  readonly key: string;
  readonly conversation: string;
  readonly body: ReplyBody;
  /** Phone preview. */
  readonly content: ChatContent;
  readonly at: string;
  readonly state: 'sending' | 'accepted' | 'failed';
  readonly error: unknown;
  /** Set once the reply is accepted. */
  readonly shipment: string | undefined;
}

let all: readonly Outgoing[] = [];
let last = 0;
const listeners = new Set<() => void>();
/** The send that the next one of a conversation waits for. */
const running = new Map<string, Promise<void>>();

function set(next: readonly Outgoing[]): void {
  all = next;
  for (const listener of listeners) listener();
}
const change = (key: string, changes: Partial<Outgoing>) =>
  set(all.map((one) => (one.key === key ? { ...one, ...changes } : one)));

async function attempt({ key, conversation, body }: Outgoing): Promise<void> {
  try {
    const data = await client.POST('/v1/conversations/{id}/replies', { ...byId(conversation), body });
    change(key, { state: 'accepted', shipment: data.shipment_id });
  } catch (error) {
    change(key, { state: 'failed', error });
  }
}

function enqueue(one: Outgoing): Promise<void> {
  const sent = (running.get(one.conversation) ?? Promise.resolve()).then(() => attempt(one));
  running.set(one.conversation, sent);
  return sent;
}

/** Sends a reply. Fulfilled when it was accepted or refused. */
export function sendReply(conversation: string, body: ReplyBody, content: ChatContent): Promise<void> {
  const key = `outgoing-${++last}`;
  const at = new Date().toISOString();
  const one: Outgoing = {
    key,
    conversation,
    body,
    content,
    at,
    state: 'sending',
    error: null,
    shipment: undefined,
  };
  set([...all, one]);
  return enqueue(one);
}

/** Sends a failed reply again, with the same send key if no response arrived, so that it cannot arrive twice. */
export async function retryReply(one: Outgoing): Promise<void> {
  change(one.key, { state: 'sending', error: null });
  await enqueue(one);
}

/** Removes replies from the outbox: failed ones, and those that the timeline contains. */
export function forgetReplies(keys: readonly string[]): void {
  if (keys.length > 0) set(all.filter(({ key }) => !keys.includes(key)));
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The replies of a conversation that are on their way or failed, in their order. */
export function useOutbox(conversation: string): readonly Outgoing[] {
  return useSyncExternalStore(subscribe, () => all).filter((one) => one.conversation === conversation);
}
