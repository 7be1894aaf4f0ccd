import { type GuardedAgent, guardedRequest, SsrfError } from './ssrf-guard.ts';

/*
 * Judges links to pictures, films and documents before a message with them is accepted (decisions, "Media links").
 */

export type MediaKind = 'image' | 'video' | 'document';

/** What a link may lead to: for each kind the extensions of its files, without the dot. */
export interface WantedMedia {
  readonly extensions: Readonly<Partial<Record<MediaKind, readonly string[]>>>;
  readonly httpsOnly?: boolean;
}

/**
 * `on`: a server that does not answer is left to the platform's judgement; `strict`: it is refused; `off`: nobody is
 * asked, and the extension decides.
 */
export type MediaCheckMode = 'on' | 'strict' | 'off';

/**
 * A link that cannot be used; the message says why, without a field's name.
 * - `address`: it is no address, or one that may not be called
 * - `type`: what is there is of another type
 * - `size`: it is too large
 * - `missing`: there is nothing, or (`strict`) nobody answers
 */
export class UnfitMedia extends Error {
  readonly problem: 'address' | 'type' | 'size' | 'missing';

  constructor(problem: UnfitMedia['problem'], message: string) {
    super(message);
    this.problem = problem;
  }
}

const MIB = 1024 * 1024;
/** Bytes of a file, at most (interface, "Limits"). */
const maxSize: Readonly<Record<MediaKind, number>> = {
  image: 5 * MIB,
  video: 16 * MIB,
  document: 100 * MIB,
};

/** Media types that stand for an extension; more than one where servers differ. */
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
// What servers say of files that they know nothing of.
const saysNothing: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'application/force-download',
]);

/** What a server says of a file. */
interface Told {
  /** Without parameters, in small letters; empty when it says nothing. */
  readonly type: string;
  /** Null when it does not say. */
  readonly bytes: number | null;
}

/** The outcome of asking: `silent` when nobody answered, or not in a way that tells anything. */
type Asked = Told | 'silent' | UnfitMedia;

const KEPT_MS = 60_000;
const MAX_KEPT = 2_000;

interface MediaCheckDeps {
  readonly agent: GuardedAgent;
  readonly mode: MediaCheckMode;
  /** For all that is asked about one link, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Checks links to media; what a server said is kept for a minute. */
export class MediaCheck {
  readonly #agent: GuardedAgent;
  readonly #mode: MediaCheckMode;
  readonly #timeoutMs: number;
  readonly #asked = new Map<string, { readonly at: number; readonly answer: Promise<Asked> }>();

  constructor({ agent, mode, timeoutMs = 2_000 }: MediaCheckDeps) {
    this.#agent = agent;
    this.#mode = mode;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The kind of what a link leads to. What the server says of its type counts before the extension; a link without an
   * extension to a server that does not answer is taken for the first kind that is wanted only when there is no other.
   * Throws UnfitMedia.
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
    const now = performance.now();
    const known = this.#asked.get(address);
    if (known && now - known.at < KEPT_MS) return known.answer;
    // The oldest are the first.
    for (const [key, { at }] of this.#asked) {
      if (now - at < KEPT_MS && this.#asked.size < MAX_KEPT) break;
      this.#asked.delete(key);
    }
    const answer = this.#ask(address);
    this.#asked.delete(address);
    this.#asked.set(address, { at: now, answer });
    return answer;
  }

  /** A HEAD, and for servers that do not have it, or do not tell the size, the first byte of the file. */
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
      // The connector's error comes through undici as it is, or as the cause of its own.
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
