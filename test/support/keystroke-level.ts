/** What a person does at a page: one click, one field with its text, a file for an upload, or a key such as Enter. */
export type Step =
  | { readonly kind: 'click' | 'file' | 'key' }
  | { readonly kind: 'field'; readonly text: string };

/*
 * Times of the Keystroke-Level Model in hundredths of a second: Card, Moran and Newell, "The keystroke-level model for user
 * performance time with interactive systems", Communications of the ACM 23 (7), 1980, https://doi.org/10.1145/358886.358895.
 */
/** K: one key, of a typist with 40 words per minute. */
const KEY = 28;
/** P: pointing at a target with the mouse. */
const POINTING = 110;
/** Pressing and releasing the button of the mouse. */
const BUTTON = 20;
/** H: moving the hand between keyboard and mouse. */
const HOMING = 40;
/** M: mental preparation, once for each target. */
const PREPARATION = 135;

/** Characters that need Shift, which is a key of its own in the model. */
const withShift = /[A-Z~!@#$%^&*()_+{}|:"<>?]/g;

const keysOf = (text: string): number => text.length + (text.match(withShift)?.length ?? 0);

/**
 * Returns the seconds that the Keystroke-Level Model predicts for these steps, without the time that the page takes. The
 * hand begins at the mouse. Each field is pointed at; a file is two clicks, on the button and on the file.
 */
export function secondsOf(steps: readonly Step[]): number {
  let total = 0;
  let isTyping = false;
  const moveHand = (toKeyboard: boolean) => {
    if (isTyping !== toKeyboard) total += HOMING;
    isTyping = toKeyboard;
  };
  const click = (times = 1) => {
    moveHand(false);
    total += times * (PREPARATION + POINTING + BUTTON);
  };
  const type = (keys: number) => {
    moveHand(true);
    total += keys * KEY;
  };
  for (const step of steps) {
    if (step.kind === 'key') {
      type(1);
    } else {
      click(step.kind === 'file' ? 2 : 1);
      if (step.kind === 'field') type(keysOf(step.text));
    }
  }
  return total / 100;
}
