import { tlsFaultOf, tlsReasons } from './tls-faults.ts';

/*
 * Causes for connectors to carriers being down: one type for all protocols, stored with the state of the connector, so
 * that the console, the API, the doctor, `carillon status` and alerts report the same cause.
 */

/** Causes for which a connection to a carrier fails or is not accepted. */
export const faultReasons = [
  ...tlsReasons,
  /** DNS has no address for the name. */
  'unknown-host',
  /** DNS did not answer. */
  'dns',
  'refused',
  'unreachable',
  'timeout',
  /** The carrier ended the connection. */
  'closed',
  /** The carrier does not accept the user name, the password or the token. */
  'access',
  /** The carrier refused the session for another reason. */
  'rejected',
  'other',
] as const;
export type FaultReason = (typeof faultReasons)[number];

/** The cause for which nothing can be submitted to a connector. */
export interface ConnectorFault {
  readonly reason: FaultReason;
  /** Name of the error or of the status in the protocol, and its text, for operators: `ESME_RINVPASWD`, `401`. */
  readonly detail: string;
}

const MAX_DETAIL = 200;
const ERROR_NAME = /\bE[A-Z_]{3,30}\b/;
/** Maximum depth of nested causes to examine. */
const MAX_CAUSES = 5;

// Causes by error codes of the system and of nodemailer.
const reasons: Readonly<Record<string, FaultReason>> = {
  ENOTFOUND: 'unknown-host',
  EAI_NONAME: 'unknown-host',
  ENODATA: 'unknown-host',
  EAI_AGAIN: 'dns',
  EDNS: 'dns',
  ESERVFAIL: 'dns',
  EREFUSED: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  ETIMEDOUT: 'timeout',
  ESOCKETTIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNECTION: 'closed',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  EPROTO: 'closed',
  EAUTH: 'access',
  ENOAUTH: 'access',
};

/** Creates a fault from a cause and the text of the protocol. */
export const connectorFault = (reason: FaultReason, detail: string): ConnectorFault => ({
  reason,
  detail: detail.slice(0, MAX_DETAIL),
});

/**
 * Returns the fault for an error of a connection: TLS faults first, then the most specific code among the error and its
 * causes. A name unknown to DNS is always `unknown-host`, whatever the protocol.
 */
export function connectorFaultOf(error: unknown): ConnectorFault {
  const tls = tlsFaultOf(error);
  if (tls) return tls;
  let at: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof at === 'object' && at !== null; depth++) {
    const { code, originalCode, message, cause, errors } = at as Record<string, unknown>;
    // For a name unknown to DNS, nodemailer has the message `EDNS: getaddrinfo ENOTFOUND name`.
    for (const name of [originalCode, ERROR_NAME.exec(String(message))?.[0], code]) {
      const reason = typeof name === 'string' ? reasons[name] : undefined;
      if (reason) return connectorFault(reason, detailOf(String(name), message));
    }
    // If several addresses of a name failed, the first error counts.
    at = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  return connectorFault('other', detailOf(typeof code === 'string' ? code : '', message ?? String(error)));
}

function detailOf(code: string, message: unknown): string {
  const text = typeof message === 'string' ? message : '';
  if (code === '' || text.includes(code)) return text;
  return text === '' ? code : `${code}: ${text}`;
}

/** Milliseconds: longer than the pauses between attempts of a connector that connects only for messages. */
const SHOWN_MS = 120_000;

/**
 * The fault of a connector that connects only when it has a message. Expires if no attempt repeats it for 2 minutes.
 */
export class RecentFault {
  #fault: ConnectorFault | undefined;
  #at = Number.NEGATIVE_INFINITY;

  get current(): ConnectorFault | undefined {
    return performance.now() - this.#at < SHOWN_MS ? this.#fault : undefined;
  }

  failed(fault: ConnectorFault): void {
    this.#fault = fault;
    this.#at = performance.now();
  }

  worked(): void {
    this.#fault = undefined;
  }
}
