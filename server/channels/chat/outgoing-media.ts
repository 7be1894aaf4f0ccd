import { LRUCache } from 'lru-cache';
import type { Media } from '../../modules/media/media.ts';
import { mediaState } from '../../modules/media/rows.ts';
import type { BusinessNumber, ChatPlatformClient } from '../../protocols/chat-platform/client.ts';
import type { NotDone } from '../../protocols/chat-platform/outcomes.ts';

/** Milliseconds to reuse an uploaded file; the platform keeps it for 30 days. */
const KNOWN_MS = 25 * 86_400_000;
const MAX_KNOWN = 1_000;

type Uploaded = Awaited<ReturnType<ChatPlatformClient['uploadMedia']>>;

interface OutgoingMediaDeps {
  readonly media: Pick<Media, 'find' | 'read'>;
  readonly client: Pick<ChatPlatformClient, 'uploadMedia'>;
}

/**
 * Uploads stored files to the platform before the messages that contain them: once for each business number, while the
 * upload is in memory and recent enough.
 */
export class OutgoingMedia {
  readonly #deps: OutgoingMediaDeps;
  readonly #known = new LRUCache<string, Promise<Uploaded>>({ max: MAX_KNOWN, ttl: KNOWN_MS });

  constructor(deps: OutgoingMediaDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the platform's id of an account's file, uploaded by a business number. `refused` for a file that is no
   * longer stored. An `unknown` result is harmless, because nothing was sent. Throws errors of the database and the
   * media store.
   */
  async upload(
    accountId: number,
    number: BusinessNumber,
    mediaId: number,
    signal: AbortSignal,
  ): Promise<Uploaded> {
    const key = `${number.phoneNumberId} ${accountId} ${mediaId}`;
    const known = this.#known.get(key);
    if (known) return known;
    const uploaded = this.#upload(accountId, number, mediaId, signal);
    this.#known.set(key, uploaded);
    const forget = () => {
      if (this.#known.get(key) === uploaded) this.#known.delete(key);
    };
    uploaded.then(({ outcome }) => outcome === 'done' || forget(), forget);
    return uploaded;
  }

  async #upload(
    accountId: number,
    number: BusinessNumber,
    mediaId: number,
    signal: AbortSignal,
  ): Promise<Uploaded> {
    const { media, client } = this.#deps;
    const file = await media.find(accountId, mediaId);
    if (file?.state !== mediaState.stored) return gone;
    const content = await media.read(file);
    if (!content) return gone;
    try {
      const { mimeType, size } = file;
      return await client.uploadMedia(number, { content, mimeType, size: size! }, signal);
    } finally {
      content.destroy();
    }
  }
}

const gone: NotDone = {
  outcome: 'refused',
  code: null,
  reason: 'media',
  retry: false,
  title: 'the file no longer exists',
};
