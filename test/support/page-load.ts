import type { Page } from 'playwright-core';

/** One request of a page. */
export interface LoadedFile {
  readonly method: string;
  readonly url: string;
  /** Type by Chromium: Document, Script, Stylesheet, Font, Fetch, EventSource … */
  readonly type: string;
  /** Bytes of the response on the wire, with its headers; 0 until it has ended. */
  readonly bytes: number;
  /** Bytes of its body, compressed, as `Content-Length` says; 0 without one. */
  readonly body: number;
  /** Content-Encoding of the response. */
  readonly encoding: string | undefined;
}

/** How often in a row the page is idle with nothing more asked for. */
const IDLE_LOOKS = 5;

/**
 * Counts the requests of a page from now on, with the bytes on the wire. `loaded` waits until the page is idle with nothing
 * under way but event streams. A request that is repeated while it waits, because pages read some figures again and again,
 * counts once.
 */
export async function watchLoad(page: Page): Promise<{ loaded(): Promise<readonly LoadedFile[]> }> {
  const files = new Map<string, { -readonly [Key in keyof LoadedFile]: LoadedFile[Key] }>();
  const underWay = new Set<string>();
  const session = await page.context().newCDPSession(page);
  session.on('Network.requestWillBeSent', ({ requestId, request: { method, url }, type = 'Other' }) => {
    // Images in styles are no requests.
    if (url.startsWith('data:')) return;
    files.set(requestId, { method, url, type, bytes: 0, body: 0, encoding: undefined });
    if (type !== 'EventSource') underWay.add(requestId);
  });
  session.on('Network.responseReceived', ({ requestId, response: { headers } }) => {
    const file = files.get(requestId);
    if (!file) return;
    file.encoding = headers['content-encoding'];
    file.body = Number(headers['content-length'] ?? 0);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const file = files.get(requestId);
    if (file) file.bytes = encodedDataLength;
    underWay.delete(requestId);
  });
  session.on('Network.loadingFailed', ({ requestId }) => void underWay.delete(requestId));
  await session.send('Network.enable');
  return {
    async loaded() {
      for (let idle = 0, before = -1; idle < IDLE_LOOKS; ) {
        await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
        idle = underWay.size === 0 && files.size === before ? idle + 1 : 0;
        before = files.size;
      }
      return [...new Map([...files.values()].map((file) => [`${file.method} ${file.url}`, file])).values()];
    },
  };
}
