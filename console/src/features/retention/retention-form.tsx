import { NumberInput, SimpleGrid } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, hintBelow, useSubmission } from '../../components/form.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useDataTexts } from './texts.ts';

type Retention = Answer<'/v1/data/retention'>;
type Kind = keyof Retention;
type Body = RequestBody<'/v1/data/retention', 'PATCH'>;
/** Days by kind; '' is as long as may be. */
type Values = Record<Kind, number | ''>;

/**
 * Form for the days of retention of each kind: the account's choice or, with `isLimit`, the operator's maximum for the
 * account. Asks before a shorter retention is saved, because it deletes data.
 */
export function RetentionForm({
  retention,
  isLimit = false,
  save,
}: {
  readonly retention: Retention;
  readonly isLimit?: boolean;
  readonly save: (body: Body) => Promise<void>;
}) {
  const t = useDataTexts();
  const { common } = useTexts();
  const { ask } = useDialogs();
  const kinds = Object.keys(retention) as Kind[];
  const mostOf = (kind: Kind) => (isLimit ? retention[kind].installation : retention[kind].limit);
  const form = useForm<Values>({
    initialValues: Object.fromEntries(
      kinds.map((kind) => [kind, (isLimit ? retention[kind].own_limit : retention[kind].asked) ?? '']),
    ) as Values,
  });
  const store = async (values: Values) => {
    await save(
      Object.fromEntries(kinds.map((kind) => [kind, values[kind] === '' ? null : values[kind]])) as Body,
    );
    form.resetDirty();
  };
  const submission = useSubmission(form, async (values) => {
    const shorter = kinds.filter((kind) => {
      const wanted = values[kind] === '' ? mostOf(kind) : values[kind];
      return wanted < retention[kind].days;
    });
    if (shorter.length === 0) return store(values);
    return ask({
      title: t.shorterTitle,
      text: t.shorterText(shorter.map((kind) => t.kinds[kind]).join(', ')),
      action: t.shorten,
      keep: common.back,
      run: () => store(values),
    });
  });
  return (
    <Form submission={submission} action={common.save} disabled={!form.isDirty()} narrow>
      <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="md">
        {kinds.map((kind) => (
          <NumberInput
            key={kind}
            label={t.kinds[kind]}
            description={[
              t.between(retention[kind].least, mostOf(kind)),
              isLimit ? t.asks(retention[kind].days) : t.hints[kind],
            ]
              .filter(Boolean)
              .join(' · ')}
            {...hintBelow}
            placeholder={String(mostOf(kind))}
            suffix={` ${t.days}`}
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps(kind)}
          />
        ))}
      </SimpleGrid>
    </Form>
  );
}
