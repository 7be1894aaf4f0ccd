import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { Form, fieldsOf, useSubmission } from './form.tsx';

const MAX_REASON = 500;

/** Asks for the reason of something that cannot be undone, and does it. `children` stand above the field. */
export function ReasonForm({
  texts: t,
  action,
  keep,
  save,
  children,
}: {
  readonly texts: { readonly reason: string; readonly reasonHint: string; readonly reasonMissing: string };
  readonly action: string;
  /** Label of the button that leaves the dialog. */
  readonly keep: string;
  readonly save: (reason: string) => Promise<unknown>;
  readonly children?: ReactNode;
}) {
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? t.reasonMissing : null) },
  });
  const submission = useSubmission(form, ({ reason }) => save(reason));
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={action} keep={keep}>
      {children}
      {field.text('reason', t.reason, {
        written: true,
        hint: t.reasonHint,
        focus: true,
        lines: 2,
        maxLength: MAX_REASON,
      })}
    </Form>
  );
}
