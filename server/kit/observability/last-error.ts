/** The errors that this process has logged. */
let count = 0;
let last: { readonly text: string; readonly at: number } | undefined;

/** Records an error of the log. `text` is its message, which is constant and contains no values. */
export function noteError(text: string): void {
  count++;
  last = { text, at: Date.now() };
}

/** Returns how many errors this process has logged, and the last one. */
export const loggedErrors = () => ({ count, last: last ?? null });
