import type { Place } from './known-places.ts';

/** The subject of an attempt: a person, or an account with its own password. */
export interface Subject {
  /** undefined: a person of the operator. */
  readonly accountId: number | undefined;
  /** undefined: the account itself. */
  readonly personId: number | undefined;
  readonly username: string;
  /** Set if it is an SMPP client of the account. */
  readonly smppClientId?: number;
}

/** An attempt to prove one's identity. */
export interface Attempt {
  /** `POST /v1/session` or the like, for the logs. */
  readonly endpoint: string;
  /** The kind of names and the typed name. They identify the counter if nobody has this name. */
  readonly among: 'people' | 'accounts' | 'smpp-clients';
  readonly typed: string;
  /** undefined: nobody has this name. */
  readonly who: Subject | undefined;
  readonly place: Place;
  /** false: the caller writes the audit log itself. */
  readonly audited?: boolean;
}
