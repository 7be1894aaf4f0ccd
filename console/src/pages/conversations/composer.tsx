import { ActionIcon, Button, Group, SegmentedControl, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { LayoutTemplate, PenLine, Send, StickyNote, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { byId, client } from '../../api/client.ts';
import { type ReplyBody, type TimelineItem, useReplyEstimate } from '../../api/conversation-queries.ts';
import { useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { writtenText } from '../../components/direction.ts';
import { useInsertion } from '../../components/insertion.ts';
import { useAttempt } from '../../components/notify.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { amountText } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { AttachButton, AttachedNote, hasCaption, useAttaching } from './attach.tsx';
import { EmojiPicker, MoreMenu, useReplyDialogs } from './composer-tools.tsx';
import type { OpenConversation } from './conversation.ts';
import { sendReply } from './outbox.ts';
import { useEnterSends } from './preferences.ts';
import { draftOf, keepDraft, type ReplyDraft } from './reply-drafts.ts';
import { SavedReplyList, savedReplyProps, useSavedReplies } from './saved-reply-suggestions.tsx';
import { takeOver, useWriting } from './use-writing.ts';
import { useNow, WindowTime } from './window.tsx';

/** After the last key. */
const PAUSE_MS = 400;
const SECOND_MS = 1_000;
const MAX_NOTE = 4_000;
const MAX_TEXT = { sms: 1_005, chat: 4_096, mail: 4_096, voice: 1_005 };

/** Unsent reply of a conversation, kept while the person views other conversations. */
export function useReplyDraft(conversation: string) {
  const [draft, setDraft] = useState(() => draftOf(conversation));
  function change(changes: Partial<ReplyDraft>) {
    const next = { ...draftOf(conversation), ...changes };
    keepDraft(conversation, next);
    setDraft(next);
  }
  return { draft, change };
}

/** Another person who is writing a reply now; undefined without one. */
function useOtherWriter({ writer }: OpenConversation): { readonly name: string } | undefined {
  const { person } = useSession();
  const now = useNow(SECOND_MS);
  return writer !== null && writer.id !== person.id && Date.parse(writer.until) > now ? writer : undefined;
}

/** Input for a reply, or for a note that only the team sees. */
export function Composer({
  conversation,
  draft: { draft, change },
  onSent,
}: {
  readonly conversation: OpenConversation;
  readonly draft: ReturnType<typeof useReplyDraft>;
  /** Something was sent or noted. */
  readonly onSent: () => void;
}) {
  const { conversations: t } = useTexts();
  const { mode } = draft;
  const writer = useOtherWriter(conversation);
  const { replies } = conversation;
  const mayWrite = replies.kinds.includes('text');
  return (
    <section className="composer" data-mode={mode} aria-label={mode === 'note' ? t.writeNote : t.write}>
      <Group gap="xs" justify="space-between" wrap="wrap">
        <SegmentedControl
          size="xs"
          aria-label={t.mode}
          value={mode}
          onChange={(value) => change({ mode: value })}
          data={(['reply', 'note'] as const).map((value) => ({ value, label: t.modes[value] }))}
        />
        {mode === 'note' ? <Text size="xs">{t.noteHidden}</Text> : <WindowTime replies={replies} />}
      </Group>
      {mode === 'reply' && writer && <Locked conversation={conversation} name={writer.name} />}
      {mode === 'reply' && !writer && replies.problem !== null && (
        <Problem conversation={conversation} onSent={onSent} />
      )}
      {(mode === 'note' || (mayWrite && !writer)) && (
        <Writing key={mode} conversation={conversation} draft={draft} change={change} onSent={onSent} />
      )}
    </section>
  );
}

/** Notice that another person is writing a reply, with an action to take over. */
function Locked({
  conversation: { id },
  name,
}: {
  readonly conversation: OpenConversation;
  readonly name: string;
}) {
  const { conversations: t } = useTexts();
  const { busy, error, run } = useTask(() => takeOver(id));
  return (
    <div className="composer-notice" role="status">
      <PenLine size={16} aria-hidden />
      <span className="grow">{t.writes(name)}</span>
      <Button size="xs" variant="default" loading={busy} onClick={() => void run()}>
        {t.takeOver}
      </Button>
      <ErrorNote error={error} />
    </div>
  );
}

/** Why not everything can be sent now, and what can. */
function Problem({
  conversation,
  onSent,
}: {
  readonly conversation: OpenConversation;
  readonly onSent: () => void;
}) {
  const { conversations: t } = useTexts();
  const { template } = useReplyDialogs(conversation, onSent);
  const { problem, kinds } = conversation.replies;
  return (
    <div className="composer-notice" role="status">
      <span className="grow">{problem !== null && t.problems[problem]}</span>
      {kinds.includes('template') && (
        <Action icon={LayoutTemplate} size="xs" onClick={template}>
          {t.chooseTemplate}
        </Action>
      )}
    </div>
  );
}

function Writing({
  conversation,
  draft,
  change,
  onSent,
}: {
  readonly conversation: OpenConversation;
  readonly draft: ReplyDraft;
  readonly change: (changes: Partial<ReplyDraft>) => void;
  readonly onSent: () => void;
}) {
  const { conversations: t } = useTexts();
  const { id, channel } = conversation;
  const { text, mode, quoted, file } = draft;
  const isNote = mode === 'note';
  const attempt = useAttempt();
  const writing = useWriting(id);
  const [enterSends] = useEnterSends();
  const form = useRef<HTMLFormElement>(null);
  const { area, insert } = useInsertion(text, (next) => change({ text: next }));
  const saved = useSavedReplies(id, isNote ? '' : text, (filled) => change({ text: filled }));
  const attaching = useAttaching((attached) => change({ file: attached }));
  const body = isNote ? undefined : bodyOf(draft);
  const isEmpty = isNote ? text.trim() === '' : body === undefined;

  async function submit() {
    if (isEmpty) return;
    if (isNote) {
      const isNoted = await attempt(() =>
        client.POST('/v1/conversations/{id}/notes', { ...byId(id), body: { text } }),
      );
      if (isNoted) change({ text: '' });
    } else {
      change({ text: '', quoted: undefined, file: undefined });
      writing.sent();
      await sendReply(id, body!, { ...plain, body: [file?.name, text].filter(Boolean).join('\n') });
    }
    onSent();
  }
  function onKeyDown(event: React.KeyboardEvent) {
    if (saved.onKey(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !enterSends) return;
    event.preventDefault();
    form.current?.requestSubmit();
  }
  const mayAttach = !isNote && conversation.replies.kinds.includes('media');
  const label = isNote ? t.writeNote : t.write;
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {quoted && !isNote && <Quoted quoted={quoted} onStop={() => change({ quoted: undefined })} />}
      {file && !isNote && <AttachedNote file={file} onRemove={() => change({ file: undefined })} />}
      <ErrorNote error={attaching.error} />
      <SavedReplyList {...saved} />
      <Textarea
        ref={area}
        {...savedReplyProps(saved)}
        className="composer-text"
        aria-label={label}
        placeholder={label}
        {...writtenText}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={isNote ? MAX_NOTE : MAX_TEXT[channel]}
        value={text}
        onChange={(event) => {
          change({ text: event.currentTarget.value });
          if (!isNote) writing.typed(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        enterKeyHint={enterSends ? 'send' : 'enter'}
      />
      <Group gap={4} justify="flex-end" mt={6} wrap="nowrap">
        {mayAttach && <AttachButton attaching={attaching} />}
        <EmojiPicker onInsert={insert} />
        {!isNote && <MoreMenu conversation={conversation} onSent={onSent} />}
        <span className="grow">{!isNote && <Estimate id={id} body={body} isSms={channel === 'sms'} />}</span>
        <Action icon={isNote ? StickyNote : Send} mirrored={!isNote} type="submit" disabled={isEmpty}>
          {isNote ? t.addNote : t.send}
        </Action>
      </Group>
    </form>
  );
}

/** Parts of the preview that a text does not have. */
const plain = { header: null, footer: '', buttons: [], cards: [] };

/** Reply to send: the text, or a file with the text as its caption; undefined while both are missing. */
function bodyOf({ text, quoted, file }: ReplyDraft): ReplyBody | undefined {
  const about = quoted && { reply_to: quoted.id };
  if (file) return { media: { media_id: file.id, caption: hasCaption(file) ? text : '' }, ...about };
  return text.trim() === '' ? undefined : { text, ...about };
}

/** The message that the reply will quote. */
function Quoted({ quoted, onStop }: { readonly quoted: TimelineItem; readonly onStop: () => void }) {
  const { conversations: t } = useTexts();
  return (
    <div className="composer-quoted">
      <span dir="auto">{quoted.text || t.quotedEarlier}</span>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t.stopQuoting} onClick={onStop}>
        <X size={15} />
      </ActionIcon>
    </div>
  );
}

/** Cost of the reply. */
function Estimate({
  id,
  body,
  isSms,
}: {
  readonly id: string;
  readonly body: ReplyBody | undefined;
  readonly isSms: boolean;
}) {
  const { conversations: t } = useTexts();
  const language = useLanguage();
  const [asked] = useDebouncedValue(body, PAUSE_MS);
  const { data } = useReplyEstimate(id, body && asked);
  if (!body || !data) return null;
  const cost = Number(data.cost) === 0 ? t.free : t.cost(amountText(data.cost, language));
  return (
    <Text component="span" size="xs" role="status" c={data.enough ? 'dimmed' : 'red'}>
      {data.enough ? [isSms && t.parts(data.parts), cost].filter(Boolean).join(' · ') : t.notEnough}
    </Text>
  );
}
