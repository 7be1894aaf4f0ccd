import { type ReactNode, useEffect, useReducer, useState } from 'react';
import type { Script } from './script.ts';

/** Shows a part as soon as its script is there. Throws the error of a script that cannot be fetched (shell/boundary.tsx). */
export function Scripted<Props extends object>({
  script,
  props,
  fallback,
}: {
  readonly script: Script<Props>;
  readonly props: Props;
  readonly fallback: ReactNode;
}) {
  const Component = script.component;
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (script.component === undefined) script.fetch().then(draw, setError);
  }, [script]);
  if (error !== undefined) throw error;
  return Component ? <Component {...props} /> : fallback;
}
