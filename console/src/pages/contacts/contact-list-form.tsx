import { Fieldset, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { writtenText } from '../../components/direction.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { Muted } from '../../components/text.tsx';
import { useContactTexts } from '../../features/imports/texts.ts';

const FIELDS = 6;
const MAX_NAME = 100;

interface NamedList {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly string[];
}

const upToLast = (names: readonly string[]) =>
  names.slice(0, names.findLastIndex((name) => name.trim() !== '') + 1);

/** The name of a list and those of its fields; `list` is one that is changed. */
export function ListForm({
  list,
  action,
  save,
}: {
  readonly list?: NamedList;
  readonly action: string;
  readonly save: (body: { name: string; columns: string[] }) => Promise<void>;
}) {
  const t = useContactTexts();
  const form = useForm({
    initialValues: {
      name: list?.name ?? '',
      columns: Array.from({ length: FIELDS }, (_, index) => list?.columns[index] ?? ''),
    },
  });
  const submission = useSubmission(form, ({ name, columns }) => save({ name, columns: upToLast(columns) }));
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={action}>
      {field.text('name', t.name, { written: true, required: true, focus: true, maxLength: MAX_NAME })}
      <Fieldset legend={t.fieldNames}>
        <Muted mb="xs">{t.fieldNamesHint}</Muted>
        <SimpleGrid cols={2} spacing="xs">
          {form.values.columns.map((_, index) => (
            <TextInput
              // biome-ignore lint/suspicious/noArrayIndexKey: fields have nothing but their place
              key={index}
              aria-label={t.field(index + 1)}
              placeholder={t.field(index + 1)}
              {...writtenText}
              maxLength={MAX_NAME}
              {...form.getInputProps(`columns.${index}`)}
            />
          ))}
        </SimpleGrid>
      </Fieldset>
    </Form>
  );
}
