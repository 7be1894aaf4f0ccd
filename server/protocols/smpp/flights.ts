import type { OutgoingMessage, SubmitOutcome } from '../../engine/carriers/carrier.ts';
import type { Part } from './outgoing.ts';

/** A message between `submit` and `settle`. */
export interface Handing {
  readonly message: OutgoingMessage<string>;
  /** Null after its call. */
  settle: ((outcome: SubmitOutcome) => void) | null;
  readonly ids: string[];
  unanswered: number;
  /** Parts that the SMSC has, or may have. */
  sent: number;
}

/** A part that waits for its turn or for its answer. */
export interface Flight {
  readonly source: string;
  readonly handing: Handing;
  readonly part: Part;
  readonly index: number;
}
