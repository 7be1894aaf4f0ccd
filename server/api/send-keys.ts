import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable } from '../database/connection.ts';
import type { TakesSendKey } from './access/rules.ts';
import { noteRepeated } from './request-notes.ts';
import { readSendKey, SEND_KEY_HEADER } from './send-keys/key.ts';
import {
  type Outcome,
  type SendKeyRequest,
  type SendKeys,
  type SendKeyUse,
  storeSendKey,
} from './send-keys/send-keys.ts';

/*
 * Send keys of every API: read from the header and the field, used, and mentioned in the response. The access table
 * defines which routes and operations accept one.
 */

/** Marks a response as that of an earlier request. */
const REPLAYED_HEADER = 'idempotent-replayed';
const keyHeader = SEND_KEY_HEADER.toLowerCase();

/** A request that sends or pays, with its content. */
export interface KeyedCall extends Omit<SendKeyRequest, 'key' | 'isSealed'> {
  /** The field `send_key`; undefined if absent. */
  readonly field?: string | undefined;
  /** From the rule in the access table; undefined for an operation that accepts no key, whose key is ignored. */
  readonly takes: TakesSendKey | undefined;
  /** Nothing is stored: a key is checked and not used. */
  readonly dryRun?: boolean;
  /** As in `SendKeys.perform`. */
  readonly looksFirst?: boolean;
}

/** Whether a request has a key, in the header or in the field. */
export const hasSendKey = (request: FastifyRequest, field?: string): boolean =>
  field !== undefined || request.headers[keyHeader] !== undefined;

/**
 * Runs `act` once per key of the request; `act` gets the key, undefined without one. Throws Refusal `bad-field` for an
 * invalid key, and errors of `SendKeys.perform`.
 */
export async function onceByKey<Answer>(
  sendKeys: SendKeys,
  request: FastifyRequest,
  reply: FastifyReply,
  call: KeyedCall,
  act: (use: SendKeyUse | undefined) => Promise<Answer>,
): Promise<Outcome<Answer>> {
  const { field, takes, dryRun = false, looksFirst = true } = call;
  const key = takes && readSendKey(request.headers[keyHeader], field);
  if (key === undefined || dryRun) return { answer: await act(undefined), repeated: false };
  const use = await sendKeys.use({ ...call, key, isSealed: takes === 'sealed' });
  const outcome = await sendKeys.perform(use, () => act(use), { looksFirst });
  if (outcome.repeated) {
    reply.header(REPLAYED_HEADER, 'true');
    noteRepeated(request);
  }
  return outcome;
}

/**
 * Stores the key of a call with its response, in the transaction of the call; does nothing for a call without a key.
 */
export const storeAnswer = (
  tx: Queryable,
  accountId: number,
  use: SendKeyUse | undefined,
  answer: object,
): Promise<void> =>
  storeSendKey(
    tx,
    accountId,
    use?.answering(() => answer),
    undefined,
  );
