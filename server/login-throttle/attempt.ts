import type { Place } from './known-places.ts';

/** Who is meant by an attempt: a person, or an account by its own password. */
export interface Subject {
  /** undefined: of the operator's people. */
  readonly accountId: number | undefined;
  /** undefined: the account itself. */
  readonly personId: number | undefined;
  readonly username: string;
}

/** An attempt to prove who one is. */
export interface Attempt {
  /** `POST /v1/session`: for the logs. */
  readonly endpoint: string;
  /** What names are looked for among, and what was typed: they name the counter when nobody is called so. */
  readonly among: 'people' | 'accounts';
  readonly typed: string;
  /** undefined: nobody is called so. */
  readonly who: Subject | undefined;
  readonly place: Place;
  /** false: whoever asks writes the audit log. */
  readonly audited?: boolean;
}
