import { useState } from 'react';

/** Place of a preview among the recipients of a list. */
export interface Flip {
  /** `after` of the shown recipient in requests; '' for the first one. */
  readonly after: string;
  /** Undefined at the first recipient. */
  readonly back: (() => void) | undefined;
  /** Shows the recipient after `next` of the last answer. */
  readonly forward: (next: string) => void;
}

/** Moves through the recipients of a list, from its first one. Another list begins again. */
export function useFlip(list: string | undefined): Flip {
  const [state, setState] = useState<{ list: string | undefined; passed: readonly string[] }>({
    list,
    passed: [],
  });
  const passed = state.list === list ? state.passed : [];
  return {
    after: passed.at(-1) ?? '',
    back: passed.length === 0 ? undefined : () => setState({ list, passed: passed.slice(0, -1) }),
    forward: (next) => setState({ list, passed: [...passed, next] }),
  };
}
