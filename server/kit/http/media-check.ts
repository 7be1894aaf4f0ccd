import { LRUCache } from 'lru-cache';
import { type GuardedAgent, guardedRequest, SsrfError } from './ssrf-guard.ts';

/* Checks links to images, videos and documents before a message with them is accepted (decisions, "Media links"). */

export type MediaKind = 'image' | 'video' | 'document';

/** Permitted targets of a link: for each kind the file extensions, without the dot. */
export interface WantedMedia {
  readonly extensions: Readonly<Partial<Record<MediaKind, readonly string[]>>>;
  readonly httpsOnly?: boolean;
}

/**
 * `on`: links to servers that do not answer are accepted, and the platform decides; `strict`: they are refused; `off`:
 * the service sends no requests, and the extension decides.
 */
export type MediaCheckMode = 'on' | 'strict' | 'off';

/**
 * An unusable link; the message says why, without the name of a field.
 * - `address`: not a valid address, or one that may not be called
 * - `type`: the file has another type
 * - `size`: the file is too large
 * - `missing`: the file does not exist, or (`strict`) the server does not answer
 */
export class UnfitMedia extends Error {
  readonly problem: 'address' | 'type' | 'size' | 'missing';

  constructor(problem: UnfitMedia['problem'], message: string) {
    super(message);
    this.problem = problem;
  }
}

const MIB = 1024 * 1024;
/** Maximum size of a file, in bytes (interface, "Limits"). */
const maxSize: Readonly<Record<MediaKind, number>> = {
  image: 5 * MIB,
  video: 16 * MIB,
  document: 100 * MIB,
};

/** Media types of an extension; several where servers differ. */
const typesOf: Readonly<Record<string, readonly string[]>> = {
  png: ['image/png'],
  jpg: ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  jpeg: ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  gif: ['image/gif'],
  mp4: ['video/mp4', 'application/mp4'],
  avi: ['video/x-msvideo', 'video/avi', 'video/msvideo', 'video/vnd.avi'],
  '3gp': ['video/3gpp', 'video/3gpp2'],
  '3gpp': ['video/3gpp', 'video/3gpp2'],
  pdf: ['application/pdf', 'application/x-pdf'],
  doc: ['application/msword'],
  docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  xls: ['application/vnd.ms-excel'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ppt: ['application/vnd.ms-powerpoint'],
  ppts: ['application/vnd.ms-powerpoint'],
  pptx: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  zip: ['application/zip', 'application/x-zip-compressed', 'multipart/x-zip'],
  txt: ['text/plain'],
  rar: ['application/vnd.rar', 'application/x-rar-compressed', 'application/x-rar'],
};
// Media types that servers send for unknown files.
const saysNothing: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'application/force-download',
]);

/** Properties of a file, from the server's response. */
interface Told {
  /** Media type without parameters, in lower case; empty if unknown. */
  readonly type: string;
  /** Null if unknown. */
  readonly bytes: number | null;
}

/** The result of a request: `silent` if the server did not answer, or its response says nothing about the file. */
type Asked = Told | 'silent' | UnfitMedia;

const KEPT_MS = 60_000;
const MAX_KEPT = 2_000;

interface MediaCheckDeps {
  readonly agent: GuardedAgent;
  readonly mode: MediaCheckMode;
  /** Milliseconds for all requests about one link. */
  readonly timeoutMs?: number;
}

/** Checks links to media. Results are cached for a minute. */
export class MediaCheck {
  readonly #agent: GuardedAgent;
  readonly #mode: MediaCheckMode;
  readonly #timeoutMs: number;
  readonly #asked = new LRUCache<string, Promise<Asked>>({ max: MAX_KEPT, ttl: KEPT_MS, ttlResolution: 0 });

  constructor({ agent, mode, timeoutMs = 2_000 }: MediaCheckDeps) {
    this.#agent = agent;
    this.#mode = mode;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Returns the kind of the file behind a link. The server's media type takes precedence over the extension. A link
   * without an extension, to a server that does not answer, is accepted only if a single kind is permitted. Throws
   * UnfitMedia.
   */
  async check(link: string, wanted: WantedMedia): Promise<MediaKind> {
    const url = this.#parse(link);
    if (wanted.httpsOnly && url.protocol !== 'https:') {
      throw new UnfitMedia('address', 'must be an https address');
    }
    const asked = this.#mode === 'off' ? 'silent' : await this.#askOnce(url.href);
    if (asked instanceof UnfitMedia) throw asked;
    if (asked === 'silent') {
      if (this.#mode === 'strict') throw new UnfitMedia('missing', 'the server does not answer');
      return kindByName(url, wanted);
    }
    const kind = saysNothing.has(asked.type) ? kindByName(url, wanted) : kindByType(asked.type, wanted);
    if (asked.bytes !== null && asked.bytes > maxSize[kind]) {
      throw new UnfitMedia('size', `over ${maxSize[kind] / MIB} MB`);
    }
    return kind;
  }

  #parse(link: string): URL {
    try {
      return this.#agent.ssrfGuard.check(link);
    } catch (error) {
      if (error instanceof SsrfError) throw new UnfitMedia('address', error.message);
      throw error;
    }
  }

  #askOnce(address: string): Promise<Asked> {
    const known = this.#asked.get(address);
    if (known) return known;
    const answer = this.#ask(address);
    this.#asked.set(address, answer);
    return answer;
  }

  /** Sends HEAD. If the server does not support it or omits the size, requests the first byte of the file. */
  async #ask(address: string): Promise<Asked> {
    const deadline = performance.now() + this.#timeoutMs;
    const request = (method: 'HEAD' | 'GET') =>
      guardedRequest(this.#agent, address, {
        method,
        timeoutMs: Math.max(1, Math.round(deadline - performance.now())),
        maxRedirects: 3,
        maxBytes: 1,
        ...(method === 'GET' && { headers: { range: 'bytes=0-0' } }),
      });
    let told: Told | 'silent' = 'silent';
    try {
      const head = await request('HEAD');
      if (isSuccess(head.status)) {
        told = { type: typeIn(head.headers), bytes: wholeNumber(one(head.headers['content-length'])) };
        if (told.bytes !== null) return told;
      }
      const first = await request('GET');
      if (first.status === 404 || first.status === 410) {
        return new UnfitMedia('missing', `the server answers ${first.status}: there is no such file`);
      }
      if (!isSuccess(first.status)) return told;
      const total = /^bytes [\d*-]+\/(\d+)$/.exec(one(first.headers['content-range']))?.[1];
      const length = first.status === 206 ? total : one(first.headers['content-length']);
      return { type: typeIn(first.headers), bytes: wholeNumber(length ?? '') };
    } catch (error) {
      // undici throws the connector's error directly, or as the cause of another error.
      const guarded = [error, (error as Error).cause].find((each) => each instanceof SsrfError);
      return guarded ? new UnfitMedia('address', (guarded as SsrfError).message) : told;
    }
  }
}

const isSuccess = (status: number) => status >= 200 && status <= 299;
const one = (header: string | string[] | undefined): string => [header ?? ''].flat()[0]!;
const wholeNumber = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : null);

function typeIn(headers: Record<string, string | string[] | undefined>): string {
  return one(headers['content-type']).split(';')[0]!.trim().toLowerCase();
}

function kindByType(type: string, wanted: WantedMedia): MediaKind {
  for (const [kind, extensions] of entriesOf(wanted)) {
    if (extensions.some((extension) => typesOf[extension]?.includes(type))) return kind;
  }
  throw wrongType(wanted);
}

function kindByName(url: URL, wanted: WantedMedia): MediaKind {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(url.pathname)?.[1]?.toLowerCase();
  const all = entriesOf(wanted);
  const found = all.find(([, extensions]) => extension !== undefined && extensions.includes(extension));
  if (found) return found[0];
  if (extension === undefined && all.length === 1) return all[0]![0];
  throw wrongType(wanted);
}

function wrongType(wanted: WantedMedia): UnfitMedia {
  const all = entriesOf(wanted).flatMap(([, extensions]) => extensions);
  return new UnfitMedia('type', `must lead to a file of the type ${all.join(', ')}`);
}

const entriesOf = ({ extensions }: WantedMedia) =>
  Object.entries(extensions) as [MediaKind, readonly string[]][];
