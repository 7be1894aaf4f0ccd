import type { ChatPlatformClient } from '../../carriers/chat-platform/client.ts';
import { type GuardedAgent, guardedStream, SsrfError } from '../../http/ssrf-guard.ts';
import type { Fetched, MediaFetcher } from '../../media/fetches.ts';
import { type ChatNumbers, NO_TOKEN } from './numbers.ts';

/** What names the chat platform in rows of files that are there. */
export const MEDIA_ORIGIN = 'chat';

/** Milliseconds to wait for the headers of a download. A server that has the file sends them in far less than a second. */
const FIRST_BYTE_MS = 10_000;
/** Milliseconds without a byte after which a download is abandoned. */
const STALL_MS = 30_000;

interface MediaFetchDeps {
  readonly client: Pick<ChatPlatformClient, 'findMedia'>;
  readonly numbers: Pick<ChatNumbers, 'find'>;
  /** Fetches from the address that the platform names. */
  readonly agent: GuardedAgent;
}

/**
 * Fetches files of clients from the platform. It names an address that is good for 5 minutes, so each attempt asks for
 * one; the address answers to the token of the number alone.
 */
export function mediaFetcher({ client, numbers, agent }: MediaFetchDeps): MediaFetcher {
  return async ({ number: phone, id, downloadsFrom }, signal): Promise<Fetched> => {
    const number = await numbers.find(phone);
    if (!number || number.accessToken === NO_TOKEN) {
      return { outcome: 'again', detail: 'the business number has no access token' };
    }
    const { platformId: phoneNumberId, accessToken: token } = number;
    const found = await client.findMedia({ phoneNumberId, token }, id, signal);
    if (found.outcome === 'refused') {
      // Restrictions of the account pass; that it knows of no such file stays.
      const isGone = found.reason === 'request' || found.reason === 'media';
      return { outcome: isGone ? 'gone' : 'again', detail: found.title };
    }
    if (found.outcome === 'unknown') return { outcome: 'again', detail: 'the platform did not answer' };
    if (found.outcome === 'again') {
      return { outcome: 'again', detail: found.title, afterMs: found.afterMs };
    }
    if (URL.canParse(found.url)) downloadsFrom(new URL(found.url).host);
    try {
      return await download(agent, found.url, token, signal);
    } catch (error) {
      const guarded = [error, (error as Error).cause].find((each) => each instanceof SsrfError);
      if (guarded) return { outcome: 'again', detail: (guarded as SsrfError).message };
      throw error;
    }
  };
}

async function download(
  agent: GuardedAgent,
  url: string,
  token: string,
  signal: AbortSignal,
): Promise<Fetched> {
  const { status, body } = await guardedStream(agent, url, {
    // The platform refuses requests that do not say who they are.
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'carillon' },
    firstByteMs: FIRST_BYTE_MS,
    stallMs: STALL_MS,
    signal,
  });
  if (status === 200) return { outcome: 'found', content: body };
  // Its end is not waited for, and that it is cut off is no fault.
  body.on('error', () => {}).destroy();
  return { outcome: 'again', detail: `the address of the file answers with HTTP ${status}` };
}
