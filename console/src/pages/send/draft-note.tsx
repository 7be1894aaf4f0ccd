import { Alert, Button, Group, Text } from '@mantine/core';
import { CircleAlert, Trash2, Users } from 'lucide-react';
import { createContext } from 'react';
import { useLocation } from 'wouter';
import { Action } from '../../components/action.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { errorText } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { DraftState } from './draft.ts';

/** Element next to the heading of the page that shows whether the draft is saved; null until it exists. */
export const DraftPlace = createContext<HTMLElement | null>(null);

/** Tells that the draft could not be saved, and what to do. */
export function DraftProblem({ draft: { state, error, ...draft } }: { readonly draft: DraftState }) {
  const texts = useTexts();
  const { draft: t } = texts.send;
  if (state === 'changed') {
    return (
      <Alert color="orange" icon={<Users />} title={t.changed} role="alert">
        <Text size="sm">{errorText(error, texts)}</Text>
        <Group gap="xs" mt="sm">
          <Button size="xs" variant="default" onClick={draft.reload}>
            {t.openTheirs}
          </Button>
          <Button size="xs" variant="default" onClick={draft.saveAsNew}>
            {t.saveAsNew}
          </Button>
        </Group>
      </Alert>
    );
  }
  if (state === 'failed') {
    return (
      <Alert color="orange" icon={<CircleAlert />} title={t.failed} role="alert">
        {errorText(error, texts)}
      </Alert>
    );
  }
  return null;
}

/** Whether the draft is saved, with the button that deletes it. */
export function DraftNote({ draft }: { readonly draft: DraftState }) {
  const { common, send } = useTexts();
  const { draft: t } = send;
  const dialogs = useDialogs();
  const [, navigate] = useLocation();
  const { state, savedAt } = draft;
  const remove = () =>
    dialogs.ask({
      title: t.removeTitle,
      text: t.removeText,
      action: t.remove,
      keep: common.keeps.draft,
      run: async () => {
        await draft.remove();
        navigate('/campaigns');
      },
    });
  return (
    <Group gap="xs" mih={26}>
      <Muted size="xs" role="status">
        {state === 'saving' && t.saving}
        {state === 'saved' && (
          <>
            {t.saved} <Time at={savedAt} />
          </>
        )}
      </Muted>
      {savedAt !== null && (
        <Action icon={Trash2} size="compact-xs" variant="subtle" color="gray" onClick={remove}>
          {t.remove}
        </Action>
      )}
    </Group>
  );
}
