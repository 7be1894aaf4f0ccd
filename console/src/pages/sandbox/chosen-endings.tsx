import { ActionIcon, NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { X } from 'lucide-react';
import { CarillonError } from '../../api/errors.ts';
import { useEndings } from '../../api/sandbox-phone.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useAttempt } from '../../components/notify.ts';
import { Fetched } from '../../components/states.tsx';
import { Phone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Ending of numbers to which everything is delivered. */
const WORKS = '0000';

/** Numbers that behave as if they had another ending, and the form that makes one do so. */
export function ChosenEndings() {
  const { sandbox: t, common } = useTexts();
  const { query, choose } = useEndings();
  const attempt = useAttempt();
  const nameOf = useEndingNames();
  const form = useForm({ initialValues: { number: '', ending: '0001' } });
  const submission = useSubmission(form, async ({ number, ending }) => {
    try {
      await choose(number, ending);
      form.setFieldValue('number', '');
    } catch (error) {
      // The number is the only field of the form that the service can refuse.
      if (!(error instanceof CarillonError) || error.httpStatus !== 400) throw error;
      form.setFieldError('number', common.errors.codes['bad-destination']);
    }
  });
  return (
    <Card title={t.chosen} lead={t.chosenHint}>
      <Fetched query={query}>
        {({ endings }) => (
          <RowsTable
            caption={t.chosen}
            rows={endings}
            rowKey={({ number }) => number}
            empty={t.noneChosen}
            columns={[
              { title: t.number, rowHeader: true, cell: ({ number }) => <Phone number={number} /> },
              { title: t.behavesAs, cell: ({ ending }) => nameOf(ending) },
              {
                title: t.choose,
                hiddenTitle: true,
                align: 'end',
                cell: ({ number }) => (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t.reset(number)}
                    onClick={() => void attempt(() => choose(number, null))}
                  >
                    <X size={16} />
                  </ActionIcon>
                ),
              },
            ]}
          />
        )}
      </Fetched>
      <Form submission={submission} action={t.choose} narrow>
        {fieldsOf(form).text('number', t.number, { required: true, inputMode: 'tel' })}
        <NativeSelect
          label={t.behavesAs}
          data={[WORKS, ...Object.keys(t.outcomes)].map((value) => ({ value, label: nameOf(value) }))}
          {...form.getInputProps('ending')}
        />
      </Form>
    </Card>
  );
}

/** Display name of an ending, for SMS and, if different, for calls. */
function useEndingNames(): (ending: string) => string {
  const { sandbox: t } = useTexts();
  return (ending) => {
    if (ending === WORKS) return t.works;
    const outcome = (t.outcomes as Readonly<Record<string, { readonly sms: string; readonly call: string }>>)[
      ending
    ];
    return outcome ? `…${ending} · ${outcome.sms || outcome.call}` : `…${ending}`;
  };
}
