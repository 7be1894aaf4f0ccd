import { Alert, Button, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Clock, MessageCircleOff, MessageCircleReply } from 'lucide-react';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** After the last key. */
const PAUSE_MS = 350;
/** The window can open when the recipient writes and closes after 24 hours, so its state is refreshed. */
const AGAIN_MS = 5_000;

type WindowState = Answer<'/v1/chat/window'>;

/** Window of the typed number; undefined without a number, or while it loads. */
export function useChatWindow(source: string, to: string | undefined) {
  const [asked] = useDebouncedValue(to, PAUSE_MS);
  const query = useAnswer(
    '/v1/chat/window',
    { query: { source, to: asked ?? '' } },
    { enabled: asked !== undefined, refetchInterval: AGAIN_MS, retry: false },
  );
  const isAsked = asked !== undefined && asked === to;
  return { state: isAsked ? query.data : undefined, error: isAsked ? query.error : null };
}

/** Explains the 24-hour window: when it closes, and which messages the platform refuses outside it. */
export function ChatWindow({
  state,
  onTemplate,
}: {
  readonly state: WindowState | undefined;
  /** Composes a template instead. */
  readonly onTemplate: () => void;
}) {
  const t = useTexts().send.freeForm;
  if (!state) {
    return (
      <Alert color="gray" icon={<Clock />} role="note" title={t.windowTitle}>
        {t.windowText}
      </Alert>
    );
  }
  if (state.problem === null) {
    return (
      <Alert color="teal" icon={<MessageCircleReply />} role="status" title={t.openTitle}>
        {state.closes_at !== null && (
          <Text size="sm">
            {t.openUntil} <Time at={state.closes_at} /> · {t.wroteAt} <Time at={state.client_wrote_at} />
          </Text>
        )}
        {state.conversation_ends_at !== null && (
          <Text size="sm">
            {t.conversationUntil} <Time at={state.conversation_ends_at} />
          </Text>
        )}
      </Alert>
    );
  }
  return (
    <Alert color="orange" icon={<MessageCircleOff />} role="status" title={t.closedTitle}>
      <Text size="sm">{t.problems[state.problem]}</Text>
      {state.problem === 'window-closed' && state.closes_at !== null && (
        <Text size="sm">
          {t.closedAt} <Time at={state.closes_at} />
        </Text>
      )}
      <Button size="xs" variant="default" mt="xs" onClick={onTemplate}>
        {t.useTemplate}
      </Button>
    </Alert>
  );
}
