import type { paths } from './schema.ts';

/*
 * Send keys of the console (docs/send-keys.md): a form that is submitted twice, or again after no answer came, sends once.
 * The key belongs to what is asked for, and is kept until it was answered, so that no form has to know of it.
 */

const HEADER = 'Idempotency-Key';

/** The routes that take one, by the description. */
type Keyed = {
  [Path in keyof paths]: paths[Path] extends { post: { parameters: { header?: infer Header } } }
    ? typeof HEADER extends keyof NonNullable<Header>
      ? [NonNullable<Header>] extends [never]
        ? never
        : Path
      : never
    : never;
}[keyof paths];

/** Whether the console uses it: an import's file is not held in memory to be known again. */
const routes: Readonly<Record<Keyed, boolean>> = {
  '/v1/sms': true,
  '/v1/otp': true,
  '/v1/chat/messages': true,
  '/v1/chat/buttons': true,
  '/v1/chat/carousels': true,
  '/v1/conversations/{id}/replies': true,
  '/v1/chat/campaigns': true,
  '/v1/mail/campaigns': true,
  '/v1/mail/campaigns/test': true,
  '/v1/mail/lists/{id}/users': true,
  '/v1/mail/lists/{id}/import': false,
  '/v1/sources/verify': true,
  '/v1/subscribers': true,
  '/v1/wallet/transfer': true,
  '/v1/operator/accounts/{id}/top-up': true,
  '/v1/alert-rules/{id}/test': true,
  '/v1/operator/alert-rules/{id}/test': true,
};
const patterns = Object.entries(routes).flatMap(([path, isUsed]) =>
  isUsed ? [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)] : [],
);

/** Keys of requests that are not answered, by address and body. */
const waiting = new Map<string, string>();

/** 128 random bits. `crypto.randomUUID` is there over https alone. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A request with a key. */
interface KeyedRequest {
  /** Says that it was answered: the same is meant as a new one from now on. */
  readonly answered: () => void;
}

/**
 * Gives a request that sends or pays its key: that of an earlier one that is the same and has had no answer, or a new one.
 * undefined: it takes none.
 */
export async function giveSendKey(
  url: string,
  { method, headers, body }: { method: string; headers: Headers; body: Blob | null },
): Promise<KeyedRequest | undefined> {
  const { pathname } = new URL(url);
  if (method !== 'POST' || !patterns.some((pattern) => pattern.test(pathname))) return undefined;
  const what = `${url}\n${(await body?.text()) ?? ''}`;
  const key = waiting.get(what) ?? newKey();
  waiting.set(what, key);
  headers.set(HEADER, `"${key}"`);
  return {
    answered: () => {
      if (waiting.get(what) === key) waiting.delete(what);
    },
  };
}
