import type { LoadTarget } from './requests.ts';

/** A service under test. */
export interface System {
  readonly name: string;
  readonly target: LoadTarget;
  /** CPU seconds used so far, by process. */
  cpu(): Record<string, number>;
  stop(): Promise<void>;
}

/** Values that every system needs. */
export interface Surroundings {
  /** Ports of the SMSC, and of the receiver of callbacks. */
  readonly smscPort: number;
  readonly callbackPort: number;
  /** Folder for its data, removed at the end. */
  readonly folder: string;
}
