import type { TLSSocket } from 'node:tls';
import type { Logger } from './observability/log.ts';
import { counter } from './observability/metrics.ts';

/*
 * Outgoing TLS that is not accepted: a certificate that is not trusted, has expired or is for another name, or no agreement
 * on TLS at all. Nothing goes over such a connection until somebody changes a setting or a certificate, so every connection
 * that we make tells of it here: it is logged and counted, and links show it in the console and in `/readyz?for=dispatch`.
 */

/** Why a TLS connection was not made. */
export const tlsReasons = [
  'self-signed',
  'untrusted',
  'expired',
  'not-yet-valid',
  'wrong-name',
  'revoked',
  'not-offered',
  'handshake',
] as const;
export type TlsReason = (typeof tlsReasons)[number];

export interface TlsFault {
  readonly reason: TlsReason;
  /** The error's code, and what it said: for operators. */
  readonly detail: string;
}

// X.509 verification errors as Node names them, and the check of the name.
const reasons: Readonly<Record<string, TlsReason>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: 'untrusted',
  CERT_SIGNATURE_FAILURE: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  CERT_REJECTED: 'untrusted',
  CERT_CHAIN_TOO_LONG: 'untrusted',
  INVALID_CA: 'untrusted',
  INVALID_PURPOSE: 'untrusted',
  PATH_LENGTH_EXCEEDED: 'untrusted',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  CERT_REVOKED: 'revoked',
  HOSTNAME_MISMATCH: 'wrong-name',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong-name',
  // nodemailer: STARTTLS was asked for, and is not offered or was refused.
  ETLS: 'not-offered',
  ERR_TLS_HANDSHAKE_TIMEOUT: 'handshake',
};
/** OpenSSL's errors before there is a session; those of a broken record come in the middle of one. */
const handshakeErrors = /^ERR_SSL_(?!.*(?:BAD_RECORD|DECRYPT|BAD_MAC|UNEXPECTED_EOF))/;
/** OpenSSL's text of an error: thread, `error`, code, library, function, reason, and its source file, which helps nobody. */
const OPENSSL_TEXT = /:error:[\dA-F]{8}:[^:]{0,40}:[^:]{0,80}:([^:]{1,100}):/;
const MAX_DETAIL = 200;
/** How deep causes are looked at. */
const MAX_CAUSES = 5;

/** What an error says about TLS; undefined when it is about something else. */
export function tlsFaultOf(error: unknown): TlsFault | undefined {
  let at: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof at === 'object' && at !== null; depth++) {
    const { code, originalCode, message, cause } = at as Record<string, unknown>;
    for (const name of [originalCode, code]) {
      if (typeof name !== 'string') continue;
      const reason = reasons[name] ?? (handshakeErrors.test(name) ? 'handshake' : undefined);
      if (reason) return { reason, detail: `${name}: ${reasonIn(String(message))}`.slice(0, MAX_DETAIL) };
    }
    at = cause;
  }
  return undefined;
}

/** The reason in a message of OpenSSL; other messages as they are, in one line. */
const reasonIn = (message: string): string =>
  OPENSSL_TEXT.exec(message)?.[1] ?? message.replaceAll(/\s+/g, ' ').trim();

const faultsTotal = counter(
  'carillon_tls_faults_total',
  'Outgoing TLS connections that failed, by the peer (a connector, webhooks, speech) and the reason.',
  'peer',
  'reason',
);

/** Longer than pauses between attempts: what has not been tried since is not shown any more. */
const SHOWN_MS = 120_000;

interface Shown {
  readonly fault: TlsFault;
  readonly seenAt: number;
}

const shown = new Map<string, Shown>();

/** The fault that keeps a peer from being spoken to now; undefined when there is none. */
export function currentTlsFault(peer: string): TlsFault | undefined {
  const found = shown.get(peer);
  return found && performance.now() - found.seenAt < SHOWN_MS ? found.fault : undefined;
}

/** Counts a fault of a peer that others have chosen, as a webhook's address. */
export function countTlsFault(peer: string, { reason }: TlsFault): void {
  faultsTotal.inc({ peer, reason });
}

/** A peer of the operator's: its faults are logged, counted and shown by its name. */
export class TlsPeer {
  readonly name: string;
  readonly #log: Logger;

  constructor(name: string, log: Logger) {
    this.name = name;
    this.#log = log;
  }

  /** A connection failed. Returns the fault when TLS was the cause; else nothing is noted. */
  failed(error: unknown): TlsFault | undefined {
    const fault = tlsFaultOf(error);
    if (!fault) return undefined;
    countTlsFault(this.name, fault);
    if (currentTlsFault(this.name)?.reason !== fault.reason) {
      const { reason, detail } = fault;
      this.#log.error(
        { peer: this.name, reason, detail },
        'TLS: the peer is not accepted, nothing is sent to it',
      );
    }
    shown.set(this.name, { fault, seenAt: performance.now() });
    return fault;
  }

  /** A connection was made. */
  worked(): void {
    if (!shown.has(this.name)) return;
    if (currentTlsFault(this.name)) this.#log.info({ peer: this.name }, 'TLS: the peer is accepted again');
    shown.delete(this.name);
  }

  /** Notes the outcome of a connection that is being made. */
  watch(socket: TLSSocket): void {
    socket.once('secureConnect', () => this.worked());
    socket.on('error', (error) => this.failed(error));
  }
}
