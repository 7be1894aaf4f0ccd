import { type GuardedAgent, guardedRequest, SsrfError } from '../../kit/http/ssrf-guard.ts';
import type { TemplateHeader } from '../../protocols/chat-platform/templates.ts';
import { endingOf } from './template-check.ts';

/** The example of a media header, in the platform's form. */
export interface Sample {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  readonly fileName: string;
}

export type FetchedSample =
  | { readonly sample: Sample; readonly problem?: undefined }
  | {
      readonly sample?: undefined;
      /** Words for the caller. */
      readonly problem: string;
      /** Whether the problem may be temporary. */
      readonly passes: boolean;
    };

type MediaKind = Exclude<TemplateHeader['kind'], 'none' | 'text'>;

const MIB = 1_048_576;
/** Interface, "Limits". */
const largest: Readonly<Record<MediaKind, number>> = { image: 5 * MIB, video: 16 * MIB, document: 100 * MIB };
/** Types that the platform accepts as examples, each with its usual file extension. */
const types: Readonly<Record<MediaKind, Readonly<Record<string, string>>>> = {
  image: { 'image/jpeg': 'jpg', 'image/png': 'png' },
  video: { 'video/mp4': 'mp4' },
  document: { 'application/pdf': 'pdf' },
};
const byEnding: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
};
/** Media types that servers send for unknown files. */
const unspecific: readonly string[] = ['', 'application/octet-stream', 'binary/octet-stream'];

const TIMEOUT_MS = 30_000;
const REDIRECTS = 3;

/** Fetches the example of a media header through the SSRF guard. Never throws because of the address or its content. */
export async function fetchSample(
  agent: GuardedAgent,
  kind: MediaKind,
  link: string,
): Promise<FetchedSample> {
  let answer: Awaited<ReturnType<typeof guardedRequest>>;
  try {
    answer = await guardedRequest(agent, link, {
      timeoutMs: TIMEOUT_MS,
      maxRedirects: REDIRECTS,
      maxBytes: largest[kind] + 1,
    });
  } catch (error) {
    if (error instanceof SsrfError) return { problem: error.message, passes: false };
    return { problem: 'nothing answers at the address of the example', passes: true };
  }
  const { status, headers, body } = answer;
  if (status !== 200) {
    const passes = status >= 500 || status === 429 || status === 408;
    return { problem: `the address of the example answers with HTTP ${status}`, passes };
  }
  if (body.length === 0) return { problem: 'the example is empty', passes: false };
  if (body.length > largest[kind]) {
    return { problem: `the example is over ${largest[kind] / MIB} MB`, passes: false };
  }
  const said = String(headers['content-type'] ?? '')
    .split(';')[0]!
    .trim()
    .toLowerCase();
  const mimeType = unspecific.includes(said) ? (byEnding[endingOf(link)] ?? '') : said;
  if (!Object.hasOwn(types[kind], mimeType)) {
    const wanted = Object.keys(types[kind]).join(' or ');
    return { problem: `the example is ${mimeType || 'of no known type'} and not ${wanted}`, passes: false };
  }
  return { sample: { bytes: body, mimeType, fileName: `example.${types[kind][mimeType]}` } };
}
