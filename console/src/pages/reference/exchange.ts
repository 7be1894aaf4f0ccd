import { forAccount } from '../../api/acting.ts';
import { ApiError } from '../../api/errors.ts';
import type { Operation } from './description.ts';

/** A request that somebody has put together. */
export interface Draft {
  /** By the names of the parameters; '' is left out. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly type: string | undefined;
  readonly body: string;
  /** undefined: with the session. */
  readonly token: string | undefined;
}

/** What came back. */
export interface Exchanged {
  readonly status: string;
  readonly ok: boolean;
  readonly milliseconds: number;
  readonly text: string;
  readonly cut: boolean;
}

const KEPT_CHARACTERS = 50_000;
/** A stream of events has no end. */
const LISTEN_MS = 10_000;

/** The path of a draft with its parameters. */
function pathOf({ path, parameters }: Operation, { parameters: given }: Draft): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(given[name] ?? ''));
  const query = new URLSearchParams(
    parameters
      .filter(({ in: where, name }) => where === 'query' && (given[name] ?? '') !== '')
      .map(({ name }) => [name, given[name]!]),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

/** The draft as a line for the shell. */
export function curlOf(operation: Operation, draft: Draft, token: string): string {
  const { method } = operation;
  const hasBody = draft.type !== undefined;
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const parts = [
    `curl -s ${quote(`${location.origin}${pathOf(operation, draft)}`)}`,
    ...(method === 'GET' || (method === 'POST' && hasBody) ? [] : [`-X ${method}`]),
    `-H ${quote(`Authorization: Bearer ${token}`)}`,
    ...(hasBody
      ? [
          // `-d` would call it a form, and takes the line ends out of a file.
          `-H ${quote(`Content-Type: ${draft.type}`)}`,
          `${draft.type === 'text/csv' ? '--data-binary' : '-d'} ${quote(draft.body)}`,
        ]
      : []),
  ];
  return parts.join(' \\\n  ');
}

/** Sends a draft. Throws ApiError when no answer comes; a refusal is an answer. */
export async function exchange(operation: Operation, draft: Draft): Promise<Exchanged> {
  const began = performance.now();
  const path = pathOf(operation, draft);
  const stop = new AbortController();
  const response = await fetch(draft.token === undefined ? forAccount(path) : path, {
    method: operation.method,
    // Otherwise the session would answer for a token that is wrong.
    credentials: draft.token === undefined ? 'same-origin' : 'omit',
    headers: {
      ...(draft.token === undefined
        ? { 'x-carillon-csrf': '1' }
        : { authorization: `Bearer ${draft.token}` }),
      ...(draft.type !== undefined && { 'content-type': draft.type }),
    },
    ...(draft.type !== undefined && { body: draft.body }),
    signal: stop.signal,
  }).catch(() => {
    throw new ApiError(0, 'offline', 'no answer');
  });
  const milliseconds = Math.round(performance.now() - began);
  const type = response.headers.get('content-type') ?? '';
  const timer = type.startsWith('text/event-stream') && setTimeout(() => stop.abort(), LISTEN_MS);
  const text = await readText(response, stop);
  if (timer !== false) clearTimeout(timer);
  return {
    status: `HTTP ${response.status}`,
    ok: response.ok,
    milliseconds,
    text: laidOut(text.slice(0, KEPT_CHARACTERS), type),
    cut: text.length >= KEPT_CHARACTERS,
  };
}

/** Reads an answer up to what is shown of it, or until it is stopped. */
async function readText(response: Response, stop: AbortController): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    while (reader && text.length < KEPT_CHARACTERS) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += value;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  stop.abort();
  return text;
}

function laidOut(text: string, type: string): string {
  if (type.includes('json')) {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }
  return type.includes('xml') ? laidOutXml(text) : text;
}

/** XML with an element a line, indented by its depth. */
function laidOutXml(text: string): string {
  let depth = 0;
  return text
    .replace(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth--;
      const shown = '  '.repeat(Math.max(0, depth)) + line;
      const opens = /^<[^!?/]/.test(line) && !line.includes('</') && !line.endsWith('/>');
      if (opens) depth++;
      return shown;
    })
    .join('\n');
}
