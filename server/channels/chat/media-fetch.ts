import { type GuardedAgent, guardedStream, SsrfError } from '../../kit/http/ssrf-guard.ts';
import type { Fetched, MediaFetcher } from '../../modules/media/fetches.ts';
import type { ChatPlatformClient } from '../../protocols/chat-platform/client.ts';
import { type ChatNumbers, NO_TOKEN } from './business-numbers.ts';

/** Name of the chat platform as the origin of files. */
export const MEDIA_ORIGIN = 'chat';

/**
 * Milliseconds to wait for the headers of a download. A server that has the file sends them in far less than a second.
 */
const FIRST_BYTE_MS = 10_000;
/** Milliseconds without a byte after which a download is abandoned. */
const STALL_MS = 30_000;

interface MediaFetchDeps {
  readonly client: Pick<ChatPlatformClient, 'findMedia'>;
  readonly numbers: Pick<ChatNumbers, 'find'>;
  /** Downloads from the address that the platform returns. */
  readonly agent: GuardedAgent;
}

/**
 * Returns a function that downloads files of clients from the platform. Each attempt requests a new address, because an
 * address is valid for 5 minutes; it needs the token of the number.
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
      // Restrictions of the account are temporary, a missing file is permanent.
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
    // The platform refuses requests without a user agent.
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'carillon' },
    firstByteMs: FIRST_BYTE_MS,
    stallMs: STALL_MS,
    signal,
  });
  if (status === 200) return { outcome: 'found', content: body };
  // The body is cut off on purpose, so its error does not matter.
  body.on('error', () => {}).destroy();
  return { outcome: 'again', detail: `the address of the file answers with HTTP ${status}` };
}
