import type { LoadTarget } from './requests.ts';

/** A service under test. */
export interface System {
  readonly name: string;
  readonly target: LoadTarget;
  /** CPU seconds used so far, by process. */
  cpu(): Record<string, number>;
  stop(): Promise<void>;
}

/** What every system is given. */
export interface Surroundings {
  /** Of the SMSC, and of the receiver of callbacks. */
  readonly smscPort: number;
  readonly callbackPort: number;
  /** A folder for its data, removed at the end. */
  readonly folder: string;
}
