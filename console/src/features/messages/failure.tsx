import { Alert, Stack, Text } from '@mantine/core';
import { CircleAlert, CircleSlash } from 'lucide-react';
import type { Failure } from '../../api/message-types.ts';
import { useFailureTexts } from '../../features/messages/channels.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Why a message failed, whose matter that is, and what to do. */
export function FailureNote({ failure }: { readonly failure: Failure }) {
  const { failures: t } = useTexts();
  const { why, todo } = useFailureTexts()(failure);
  const isCancelled = failure.key === 'cancelled';
  return (
    <Alert
      color={isCancelled ? 'orange' : 'red'}
      icon={isCancelled ? <CircleSlash /> : <CircleAlert />}
      title={why}
      role="note"
    >
      <Stack gap={4}>
        <Text size="sm">
          <b>{t.whose}:</b> {t.faults[failure.fault]}
        </Text>
        <Text size="sm">
          <b>{t.todo}:</b> {todo}
        </Text>
      </Stack>
    </Alert>
  );
}
