/** A status of a message, for its callback. */
export interface StatusReport {
  /** `submitted`: a carrier accepted the message. `final`: the message has its final status. */
  readonly kind: 'submitted' | 'final';
  readonly messageId: number;
  readonly shipmentId: number;
  /** E.164 digits. */
  readonly phone: string;
  /** A delivery status of kit/statuses.ts. */
  readonly status: number;
  /** The status text of the network, or our own code. */
  readonly code: string | null;
  /** Whether a carrier has accepted the message. */
  readonly wasSubmitted: boolean;
  /** Time at which a carrier accepted the message, in milliseconds since the epoch; null if none did. */
  readonly submittedAt: number | null;
  /** Name of the carrier connection; null if unknown. */
  readonly connector: string | null;
  /** The carrier's id of the message, or of its first part; null if unknown. */
  readonly carrierId: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The callback that a send asked for. */
export interface AskedCallback {
  /** The interface of the send. */
  readonly format: string;
  readonly endpointId: number;
  /** Address as the send named it. */
  readonly url: string;
  /** Values that the format needs again, by its own names. */
  readonly terms: Readonly<Record<string, string>>;
  /** Key that signs the requests; null without signatures. It is stored sealed. */
  readonly secret: string | null;
  /** Whether reports need the carrier's id of the message, which costs a look-up. */
  readonly needsCarrierId: boolean;
}

/** A request that reports a status. */
export interface CallbackRequest {
  readonly method: 'GET' | 'POST';
  /** On the host of the address that the send named. */
  readonly url: string;
  /** Form fields of a POST; empty for a GET. */
  readonly body: string;
  /** Names and values of further headers, in turns. */
  readonly headers: readonly string[];
  /** The text that the body of the answer must be; null for any. */
  readonly expects: string | null;
}

/** Writes the reports of one interface. Returns undefined for a status that the send did not ask for. */
export type CallbackFormat = (
  report: StatusReport,
  callback: Pick<AskedCallback, 'url' | 'terms' | 'secret'>,
) => CallbackRequest | undefined;
