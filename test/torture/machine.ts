/** What a machine of `npm run torture` gets. */
export interface MachineOptions {
  /** The same seed and commit give the same run, as far as time has no part in it. */
  readonly seed: number;
  /** It ends when it has made so many kills or inputs, also before its time is over. */
  readonly goal?: number;
  /** Whether its time is over. It ends what it is at. */
  readonly isOver: () => boolean;
  readonly progress?: (line: string) => void;
}

/** What it did and found. */
export interface MachineResult {
  /** Counts for the table. */
  readonly rows: Readonly<Record<string, number | string>>;
  /** What must not be, each with what it takes to see it again. */
  readonly failures: readonly string[];
}
