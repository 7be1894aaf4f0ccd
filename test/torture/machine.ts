/** Options of a machine of `npm run torture`. */
export interface MachineOptions {
  /** The same seed and commit give the same run, as far as it does not depend on timing. */
  readonly seed: number;
  /** Number of kills or inputs after which it ends, even before its time is over. */
  readonly goal?: number;
  /** Whether its time is over. It ends what it is at. */
  readonly isOver: () => boolean;
  readonly progress?: (line: string) => void;
}

/** Result of a machine. */
export interface MachineResult {
  /** Counts for the table. */
  readonly rows: Readonly<Record<string, number | string>>;
  /** Violations, each with the data to reproduce it. */
  readonly failures: readonly string[];
}
