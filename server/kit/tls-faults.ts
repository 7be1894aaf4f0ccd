import type { TLSSocket } from 'node:tls';
import type { Logger } from './observability/log.ts';
import { counter } from './observability/metrics.ts';

/*
 * Failures of outgoing TLS: a certificate that is not trusted, has expired or has another name, or a failed handshake.
 * Such a connection stays unusable until somebody changes a setting or a certificate, so all our connections report it
 * here: it is logged and counted, and connectors show it in the console and in `/readyz?for=dispatch`.
 */

/** Reasons why a TLS connection fails. */
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
  /** Code and text of the error, for operators. */
  readonly detail: string;
}

// X.509 verification errors by Node's names, and the check of the host name.
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
  // nodemailer: STARTTLS is required, but not offered or refused.
  ETLS: 'not-offered',
  ERR_TLS_HANDSHAKE_TIMEOUT: 'handshake',
};
/** OpenSSL's errors before a session exists. Errors of broken records occur within a session. */
const handshakeErrors = /^ERR_SSL_(?!.*(?:BAD_RECORD|DECRYPT|BAD_MAC|UNEXPECTED_EOF))/;
/** OpenSSL's text of an error: thread, `error`, code, library, function, reason, and the irrelevant source file. */
const OPENSSL_TEXT = /:error:[\dA-F]{8}:[^:]{0,40}:[^:]{0,80}:([^:]{1,100}):/;
const MAX_DETAIL = 200;
/** Maximum depth of nested causes to examine. */
const MAX_CAUSES = 5;

/** Returns the TLS fault of an error; undefined for another kind of error. */
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

/** Returns the reason in an OpenSSL message; other messages unchanged, in one line. */
const reasonIn = (message: string): string =>
  OPENSSL_TEXT.exec(message)?.[1] ?? message.replaceAll(/\s+/g, ' ').trim();

const faultsTotal = counter(
  'carillon_tls_faults_total',
  'Outgoing TLS connections that failed, by the peer (a connector, webhooks, speech) and the reason.',
  'peer',
  'reason',
);

/** Milliseconds that a fault is shown without a new attempt. Longer than the pauses between attempts. */
const SHOWN_MS = 120_000;

interface Shown {
  readonly fault: TlsFault;
  readonly seenAt: number;
}

const shown = new Map<string, Shown>();

/** Returns the current TLS fault of a peer; undefined without one. */
export function currentTlsFault(peer: string): TlsFault | undefined {
  const found = shown.get(peer);
  return found && performance.now() - found.seenAt < SHOWN_MS ? found.fault : undefined;
}

/** Counts a fault of a peer that customers have chosen, such as a webhook's address. */
export function countTlsFault(peer: string, { reason }: TlsFault): void {
  faultsTotal.inc({ peer, reason });
}

/** A peer of the operator. Its faults are logged, counted and shown by its name. */
export class TlsPeer {
  readonly name: string;
  readonly #log: Logger;

  constructor(name: string, log: Logger) {
    this.name = name;
    this.#log = log;
  }

  /** Records a failed connection. Returns the fault if TLS was the cause; otherwise records nothing. */
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

  /** Records a successful connection. */
  worked(): void {
    if (!shown.has(this.name)) return;
    if (currentTlsFault(this.name)) this.#log.info({ peer: this.name }, 'TLS: the peer is accepted again');
    shown.delete(this.name);
  }

  /** Records the result of a connection attempt. */
  watch(socket: TLSSocket): void {
    socket.once('secureConnect', () => this.worked());
    socket.on('error', (error) => this.failed(error));
  }
}
