import { Alert, Button, Group, Stack } from '@mantine/core';
import { CircleCheck, CircleX } from 'lucide-react';
import type { Answer } from '../../api/operations.ts';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialog } from '../../components/dialogs.tsx';
import { StatusBadge } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { useOperatorTexts } from './texts.ts';

type Trial = Answer<'/v1/operator/connectors/{id}/try', 'POST'>;

/** The carrier's answers to a trial, step by step. */
export function TrialResult({ trial }: { readonly trial: Trial }) {
  const operator = useOperatorTexts();
  const { common } = useTexts();
  const { connectors: t } = operator;
  const language = useLanguage();
  const dialog = useDialog();
  return (
    <Stack>
      {trial.is_accepted ? (
        <Alert color="teal" icon={<CircleCheck />} title={t.accepted} />
      ) : (
        <Alert color="red" icon={<CircleX />} title={t.notAccepted} />
      )}
      <RowsTable
        caption={t.steps}
        rows={trial.steps}
        rowKey={(step) => step.name}
        columns={[
          { title: t.step, cell: (step) => <bdi dir="ltr">{step.name}</bdi>, rowHeader: true },
          {
            title: t.answer,
            cell: (step) => (
              <StatusBadge tone={step.is_accepted ? 'good' : 'bad'}>
                <bdi dir="ltr">{step.answer}</bdi>
              </StatusBadge>
            ),
          },
          {
            title: t.time,
            align: 'end',
            wideOnly: true,
            cell: (step) => <bdi>{t.milliseconds(step.milliseconds.toLocaleString(language))}</bdi>,
          },
        ]}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={() => dialog?.close()}>
          {common.close}
        </Button>
      </Group>
    </Stack>
  );
}
