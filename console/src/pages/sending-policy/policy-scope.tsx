import { useForm } from '@mantine/form';
import { Card } from '../../components/card.tsx';
import { ChoiceField } from '../../components/choice-field.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type Policy, useChangePolicy, usePolicyTexts } from './policy.ts';

/** Channels that the policy applies to, and whether sends can be exempt from it. */
export function Scope({ policy: { applies_to, allows_transactional } }: { readonly policy: Policy }) {
  const { scope: t } = usePolicyTexts();
  const { common } = useTexts();
  const change = useChangePolicy();
  const form = useForm({ initialValues: { applies_to, allows_transactional } });
  const submission = useSubmission(form, change);
  return (
    <Card id="scope" title={t.title}>
      <Form submission={submission} action={common.save} narrow>
        <ChoiceField label={t.appliesTo} choices={t.scopes} {...form.getInputProps('applies_to')} />
        {fieldsOf(form).toggle('allows_transactional', t.transactional)}
      </Form>
    </Card>
  );
}
