import { Group, Paper, SegmentedControl, Select } from '@mantine/core';
import { MessageCircle } from 'lucide-react';
import { Empty, Loading } from '../../components/states.tsx';
import { useChatNumbers } from '../../features/templates/use-chat-numbers.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type ChatDraft, chatKinds, emptyChat, readChat } from './chat-draft.ts';
import { ChatFreeForm } from './chat-free-form.tsx';
import { ChatTemplate } from './chat-template.tsx';
import { useDraft } from './draft.ts';
import type { ComposerProps } from './send-form.tsx';

/** Title of a draft. */
const titleOf = ({ kind, name, templateId, buttons, carousel }: ChatDraft) =>
  kind === 'template'
    ? name.trim() || templateId.replace(/^\d+_\d+_/, '')
    : (kind === 'buttons' ? buttons : carousel).body;

/** A chat message: a template to one recipient or to many, and within 24 hours of a recipient's message buttons or a carousel. */
export default function ChatForm({ start, leaving }: ComposerProps) {
  const { send: t } = useTexts();
  const numbers = useChatNumbers();
  const composed = useDraft('chat', start, emptyChat, readChat, titleOf);
  const { values: draft, change, draft: saved } = composed;
  leaving.current = composed.mayLeave;
  const source = draft.number || numbers.list[0]?.phone;
  if (numbers.loading) return <Loading />;
  if (source === undefined) {
    return (
      <Paper withBorder>
        <Empty icon={MessageCircle} title={t.noNumbers} hint={t.noNumbersHint} />
      </Paper>
    );
  }
  const choice = (
    <>
      <SegmentedControl
        aria-label={t.chatKind}
        value={draft.kind}
        onChange={(kind) => change({ kind })}
        data={chatKinds.map((value) => ({ value, label: t.chatKinds[value] }))}
      />
      <Group gap="md" align="flex-start">
        <Select
          label={t.number}
          dir="ltr"
          data={numbers.list.map(({ phone, name }) => ({ value: phone, label: `+${phone} · ${name}` }))}
          value={source}
          onChange={(value) => change({ number: value ?? '' })}
          allowDeselect={false}
          w={{ base: '100%', xs: 260 }}
        />
      </Group>
    </>
  );
  const props = { source, choice, draft, change, saved };
  return draft.kind === 'template' ? (
    <ChatTemplate {...props} />
  ) : (
    <ChatFreeForm key={draft.kind} {...props} kind={draft.kind} />
  );
}
