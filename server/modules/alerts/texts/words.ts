/** Words of alert messages in a language. The sentence of each condition is in its file (`holds`). Numbers and times are texts. */
export interface AlertWords {
  /** Prefix of the first line: the alert began or ended, or is a test. */
  readonly began: string;
  readonly ended: string;
  readonly test: string;
  readonly times: (times: number) => string;
  readonly more: (count: number) => string;
  readonly since: (at: string) => string;
  readonly from: (from: string, to: string) => string;
  readonly account: (name: string) => string;
  readonly rule: (name: string) => string;
  readonly seeConsole: (link: string) => string;
  readonly isTest: string;
}
