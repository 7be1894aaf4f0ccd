import { type Dispatcher, request } from 'undici';

/** An answer that was read to its end. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/**
 * Sends a request and reads its answer, for walks that send thousands: `fetch` takes twice the processor time. Does not follow
 * redirects. A stream of events goes on and on, so its text is the first part.
 */
export async function sendRequest(
  url: URL | string,
  options: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array | null | undefined;
  },
): Promise<PlainAnswer> {
  const { method, headers, body = null } = options;
  const answer = await request(url, { method: method as Dispatcher.HttpMethod, headers, body });
  const { statusCode: status, headers: given } = answer;
  if (!String(given['content-type']).startsWith('text/event-stream')) {
    return { status, headers: given, text: await answer.body.text() };
  }
  for await (const part of answer.body) return { status, headers: given, text: String(part) };
  throw new Error(`${url} is an empty stream`);
}
