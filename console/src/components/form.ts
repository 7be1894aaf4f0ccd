import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { ApiError } from '../api/errors.ts';

export interface Submission<Values> {
  /** For `<form onSubmit>`. */
  readonly onSubmit: (event?: React.SubmitEvent<HTMLFormElement>) => void;
  readonly busy: boolean;
  /** What no field shows; for ErrorNote. */
  readonly error: unknown;
  readonly form: UseFormReturnType<Values>;
}

/**
 * Submits a form: what the service says of a field (`field` of its refusal) is shown at that field, anything else is
 * `error`.
 *
 * @param names from the service's name of a field to the form's, where they differ
 */
export function useSubmission<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  submit: (values: Values) => Promise<unknown>,
  names: Readonly<Record<string, string>> = {},
): Submission<Values> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  async function run(values: Values) {
    setBusy(true);
    setError(undefined);
    try {
      await submit(values);
    } catch (problem) {
      const field =
        problem instanceof ApiError && problem.field ? (names[problem.field] ?? problem.field) : undefined;
      // Of lists and objects, as `buttons[0].text`, the form has paths with dots.
      const path = field?.replace(/\[(\d+)\]/g, '.$1');
      if (path !== undefined && path.split('.')[0]! in values) {
        form.setFieldError(path, (problem as ApiError).message.replace(/^[\w.[\]]+: /, ''));
      } else {
        setError(problem);
      }
    } finally {
      setBusy(false);
    }
  }
  return { onSubmit: form.onSubmit((values) => void run(values)), busy, error, form };
}
