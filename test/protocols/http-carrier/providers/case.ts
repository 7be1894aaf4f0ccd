import { createHash, createHmac } from 'node:crypto';
import type { SignatureScheme } from '../../../../server/protocols/http-carrier/signature-settings.ts';
import { PATH_SECRET, PUBLIC_URL, type Received, type Reply } from '../support.ts';

/*
 * What the public references of the providers say about their interfaces (docs/http-carriers.md lists them): requests that they
 * accept, answers that they give, and their own requests with signatures.
 */

/** A request of a provider to this service. */
export interface ProviderRequest {
  readonly type?: string;
  readonly body: string;
}

export interface ProviderCase {
  readonly secrets: Readonly<Record<string, string>>;
  /** Returns what the provider reads of a request; it must equal `request`. */
  readonly reads: (request: Received) => unknown;
  readonly request: unknown;
  /** Answers with their outcome: the ids, `throttled`, `down`, or the code of a refusal or retry. */
  readonly answers: readonly (readonly [Reply, string | readonly string[]])[];
  /**
   * For descriptions with batches: the answer to a request with the messages 7001 and 7002, of which the second one is refused, the
   * outcome of the second one, and an answer about the first one only.
   */
  readonly batch?: {
    readonly reply: Reply;
    readonly refused: string;
    readonly incomplete: Reply;
  };
  readonly reports: readonly (readonly [ProviderRequest, id: string, status: number, code: string])[];
  /** An SMS to a number of ours; undefined for a description of calls. */
  readonly incoming?: ProviderRequest;
  /** For a description of calls: the caller number. */
  readonly callerId?: string;
  /** Signature that the provider offers and its description does not require. */
  readonly signature?: SignatureScheme;
  /** Returns the headers of the signature; undefined when the provider has none. */
  readonly sign?: (url: string, body: string, now: number) => Promise<Readonly<Record<string, string>>>;
}

/** The call that descriptions of calls make in tests; SMS have its text. */
export const CALL = { text: 'Code 4829 & more', voice: 'ymFemale', rate: 0, repeat: 2 } as const;

export const REPORTS = `${PUBLIC_URL}/carrier-requests/test/${PATH_SECRET}/reports`;
export const basic = ({ headers }: Received) =>
  Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString();
export const form = (fields: Record<string, string>): ProviderRequest => ({
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(fields).toString(),
});
export const json = (content: unknown): ProviderRequest => ({
  type: 'application/json',
  body: JSON.stringify(content),
});
export const hmac = (key: string | Buffer, content: string | Buffer) =>
  createHmac('sha256', key).update(content).digest('base64');
export const sha256 = (content: string) => createHash('sha256').update(content).digest();
export const status = (code: number, body: string | object = ''): Reply => ({ status: code, body });
