import { newSendKey } from '../../../client/src/retries.ts';
import { keyed } from '../../../client/src/schema.ts';
import type { AnyInput } from '../../../client/src/transport.ts';
import { actingFor } from './acting.ts';

/*
 * Send keys of the console (docs/send-keys.md): a form that is submitted twice, or again after no answer arrived, sends
 * once. The key belongs to the request, not to the form, and is kept until the service answers.
 */

/** Keys of requests without an answer, by operation, account and input. */
const waiting = new Map<string, string>();

/** The send key of a request. */
interface SendKey {
  readonly key: string;
  /** Forgets the key after an answer: the same input is a new request then. */
  readonly answered: () => void;
}

/**
 * Returns the key of a request that sends or pays: the key of an equal request without an answer, or a new one. Returns undefined
 * for other requests, and for files, which would have to stay in memory to be compared.
 */
export function sendKeyOf(name: string, { path, query, body }: AnyInput): SendKey | undefined {
  if (!keyed.has(name) || body instanceof Blob) return undefined;
  const what = JSON.stringify([name, actingFor()?.username, path, query, body]);
  const key = waiting.get(what) ?? newSendKey();
  waiting.set(what, key);
  return {
    key,
    answered: () => {
      if (waiting.get(what) === key) waiting.delete(what);
    },
  };
}
