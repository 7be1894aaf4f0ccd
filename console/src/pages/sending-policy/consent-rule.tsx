import { useForm } from '@mantine/form';
import { Card } from '../../components/card.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type Policy, useChangePolicy, usePolicyTexts } from './policy.ts';

/** Whether recipients need a consent. */
export function Consent({ policy: { consent } }: { readonly policy: Policy }) {
  const { consent: t } = usePolicyTexts();
  const { common } = useTexts();
  const change = useChangePolicy();
  const form = useForm({ initialValues: { needed: consent === 'marketing' } });
  const submission = useSubmission(form, ({ needed }) =>
    change({ consent: needed ? 'marketing' : 'not_required' }),
  );
  return (
    <Card id="consent" title={t.title} lead={t.hint}>
      <Form submission={submission} action={common.save} narrow>
        {fieldsOf(form).toggle('needed', t.needed)}
        <Muted>{t.note}</Muted>
      </Form>
    </Card>
  );
}
