import {
  Button,
  Checkbox,
  Group,
  type InputWrapperProps,
  Stack,
  Switch,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useRef, useState } from 'react';
import { CarillonError } from '../api/errors.ts';
import type { Dictionary } from '../i18n/en.ts';
import { useTexts } from '../i18n/use-texts.tsx';
import { useDialog } from './dialogs.tsx';
import { writtenText } from './direction.ts';
import { useSaveGroup } from './save-group.tsx';
import { ErrorNote, problemText } from './states.tsx';

interface Submission {
  /** For `<form onSubmit>`. */
  readonly onSubmit: (event?: React.SubmitEvent<HTMLFormElement>) => void;
  readonly busy: boolean;
  /** Error that no field shows; for ErrorNote. */
  readonly error: unknown;
  /** Whether the values differ from those that were saved last. */
  readonly isDirty: boolean;
}

type Constrained = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Says which constraint of an input its value breaks. */
function constraintText(input: Constrained, { common }: Dictionary): string {
  const { reasons } = common.errors;
  const { validity } = input;
  const { type, min, max } = input as HTMLInputElement;
  if (validity.valueMissing) return reasons.missing({});
  if (validity.typeMismatch && type === 'email') return reasons['not-an-address']({});
  if (validity.typeMismatch && type === 'url') return reasons['not-a-web-address']({});
  if (validity.rangeUnderflow) return reasons['too-small']({ min });
  if (validity.rangeOverflow) return reasons['too-large']({ max });
  if (validity.badInput && type === 'date') return reasons['not-a-date']({});
  return reasons['wrong-format']({});
}

/**
 * Submits a form. Errors that name a field (`field`) appear at that field; all others are in `error`. The enclosing dialog
 * closes after a successful submission.
 *
 * @param submit returns false to keep the dialog open
 * @param names maps field names of the service to those of the form, where they differ
 */
export function useSubmission<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  submit: (values: Values) => Promise<unknown>,
  names: Readonly<Record<string, string>> = {},
): Submission {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const dialog = useDialog();
  const texts = useTexts();
  /** Brings the first field with an error into view, wherever it is in a long form. */
  const show = (paths: readonly string[]) => {
    const fields = paths.map((path) => form.getInputNode(path)).filter((node) => node !== null);
    const isBefore = (one: Node, other: Node) =>
      one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    fields.sort(isBefore)[0]?.focus();
  };
  async function run(values: Values) {
    setBusy(true);
    setError(undefined);
    try {
      if ((await submit(values)) !== false) dialog?.close();
      form.resetDirty();
    } catch (problem) {
      const field =
        problem instanceof CarillonError && problem.field
          ? (names[problem.field] ?? problem.field)
          : undefined;
      // The service names fields of lists and objects like `buttons[0].text`; the form uses paths with dots.
      const path = field?.replace(/\[(\d+)\]/g, '.$1');
      if (path !== undefined && path.split('.')[0]! in values) {
        form.setFieldError(path, problemText(problem as CarillonError, texts));
        show([path]);
      } else {
        setError(problem);
      }
    } finally {
      setBusy(false);
    }
  }
  function onSubmit(event?: React.SubmitEvent<HTMLFormElement>) {
    event?.preventDefault();
    // Forms have `noValidate`: the bubbles of browsers are in the language of the browser, and the next key removes them.
    const inputs = event?.currentTarget.querySelectorAll<Constrained>('[data-path]') ?? [];
    const refused = [...inputs].filter(({ willValidate, validity }) => willValidate && !validity.valid);
    const problems = refused.map((input) => [input.dataset.path, constraintText(input, texts)] as const);
    const errors = { ...Object.fromEntries(problems), ...form.validate().errors };
    form.setErrors(errors);
    const paths = Object.keys(errors);
    if (paths.length === 0) void run(form.getTransformedValues());
    else show(paths);
  }
  return { onSubmit, busy, error, isDirty: form.isDirty() };
}

/**
 * A form: its fields, an error that concerns no single field, the submit button and, in a dialog, a button that cancels. In a
 * SaveGroup, the button of the group submits it.
 */
export function Form({
  submission: { onSubmit, busy, error, isDirty },
  action,
  keep,
  disabled = false,
  narrow = false,
  children,
}: {
  readonly submission: Submission;
  readonly action: string;
  /** Label of the button that cancels a destructive action, such as "Keep password"; the default is "Back". */
  readonly keep?: string | undefined;
  readonly disabled?: boolean;
  /** The button is as wide as its text. */
  readonly narrow?: boolean;
  readonly children: ReactNode;
}) {
  const { common } = useTexts();
  const dialog = useDialog();
  const element = useRef<HTMLFormElement>(null);
  const isGrouped = useSaveGroup(element, isDirty);
  const submit = (
    <Button type="submit" loading={busy} disabled={disabled} {...(keep !== undefined && { color: 'red' })}>
      {action}
    </Button>
  );
  return (
    <form ref={element} onSubmit={onSubmit} noValidate>
      <Stack>
        {children}
        <ErrorNote error={error} />
        {dialog && (
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close}>
              {keep ?? common.back}
            </Button>
            {submit}
          </Group>
        )}
        {!dialog && !isGrouped && (narrow ? <div>{submit}</div> : submit)}
      </Stack>
    </form>
  );
}

interface TextFieldOptions
  extends Omit<TextInputProps, 'form' | 'name' | 'label' | 'description' | 'ref' | 'dir'> {
  /** Text written by people takes its direction from its content; numbers, names and codes are left to right. */
  readonly written?: boolean;
  /** Below the input. */
  readonly hint?: ReactNode;
  /** Has the focus when its dialog opens. */
  readonly focus?: boolean;
  /** How many lines it has at least; one that cannot grow without it. */
  readonly lines?: number;
  readonly maxRows?: number;
}

/** The fields of a form, each by its name: `field.text('name', t.name, { required: true })`. */
export function fieldsOf<Values>(form: UseFormReturnType<Values>) {
  return {
    text(name: string, label: ReactNode, options: TextFieldOptions = {}) {
      const { written, hint, focus, lines, maxRows, ...props } = options;
      const all = {
        label,
        description: hint,
        ...hintBelow,
        ...(written ? writtenText : { dir: 'ltr' }),
        ...(focus && { 'data-autofocus': true }),
      };
      const input = form.getInputProps(name);
      if (lines === undefined) return <TextInput {...all} {...props} {...input} />;
      const { required, maxLength, inputMode } = props;
      return (
        <Textarea
          autosize
          minRows={lines}
          {...all}
          {...{ required, maxLength, inputMode, maxRows }}
          {...input}
        />
      );
    },
    checkbox: (name: string, label: ReactNode, hint?: ReactNode) => (
      <Checkbox label={label} description={hint} {...form.getInputProps(name, { type: 'checkbox' })} />
    ),
    toggle: (name: string, label: ReactNode, hint?: ReactNode) => (
      <Switch label={label} description={hint} {...form.getInputProps(name, { type: 'checkbox' })} />
    ),
  };
}

/** A text with one entry a line, or with commas between them, as a list. */
export const entriesOf = (text: string): string[] =>
  text
    .split(/[\n,;]+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** An input whose hint stands below it. */
const hintLast: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error'];
export const hintBelow = { inputWrapperOrder: hintLast };
