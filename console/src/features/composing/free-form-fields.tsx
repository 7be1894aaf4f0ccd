import {
  ActionIcon,
  Group,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { ArrowUp, Plus, Trash2 } from 'lucide-react';
import { Action } from '../../components/action.tsx';
import { writtenText } from '../../components/direction.ts';
import { hintBelow } from '../../components/form.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import {
  type Actions,
  type ButtonsDraft,
  CARDS,
  type CardDraft,
  type CarouselDraft,
  emptyCard,
  limitOf,
  MAX_CARD_REPLIES,
  MAX_REPLIES,
} from './free-form.ts';

/** Problem of the field at a path, if it is already displayed. */
type ErrorAt = (path: string) => string | undefined;

const headerKinds = ['none', 'image', 'video', 'document'] as const;

/** Text input with a limit. Its length, or its problem, is displayed below. */
function Field({
  path,
  label,
  value,
  onChange,
  errorAt,
  hint,
  lines,
  isCode = false,
}: {
  readonly path: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly errorAt: ErrorAt;
  readonly hint?: string;
  /** How many lines it has at least; one that cannot grow without it. */
  readonly lines?: number;
  /** Addresses and ids, which go from left to right. */
  readonly isCode?: boolean;
}) {
  const { send: t } = useTexts();
  const language = useLanguage();
  const shown = (count: number) => count.toLocaleString(language);
  const used = value === '' ? undefined : t.freeForm.used(shown(value.length), shown(limitOf(path)));
  const props = {
    label,
    description: [hint, used].filter(Boolean).join(' · ') || undefined,
    ...hintBelow,
    ...(isCode ? { dir: 'ltr' as const } : writtenText),
    value,
    error: errorAt(path),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  return lines === undefined ? (
    <TextInput {...props} />
  ) : (
    <Textarea {...props} autosize minRows={lines} maxRows={12} />
  );
}

/** The fields of a message with buttons. */
export function ButtonsFields({
  value,
  onChange,
  errorAt,
}: {
  readonly value: ButtonsDraft;
  readonly onChange: (value: ButtonsDraft) => void;
  readonly errorAt: ErrorAt;
}) {
  const { send: t } = useTexts();
  const { header } = value;
  return (
    <>
      <Group gap="md" align="flex-start">
        <Select
          label={t.freeForm.header}
          data={headerKinds.map((kind) => ({ value: kind, label: t.freeForm.headers[kind] }))}
          value={header.kind}
          onChange={(kind) => kind && onChange({ ...value, header: { ...header, kind } })}
          allowDeselect={false}
          w={{ base: '100%', xs: 180 }}
        />
        {header.kind !== 'none' && (
          <div className="grow">
            <Field
              path="header.link"
              label={t.headerLink[header.kind]}
              hint={t.freeForm.mediaHints[header.kind]}
              value={header.link}
              onChange={(link) => onChange({ ...value, header: { ...header, link } })}
              errorAt={errorAt}
              isCode
            />
          </div>
        )}
      </Group>
      <Field
        path="body"
        label={t.text}
        lines={3}
        value={value.body}
        onChange={(body) => onChange({ ...value, body })}
        errorAt={errorAt}
      />
      <Field
        path="footer"
        label={t.freeForm.footer}
        value={value.footer}
        onChange={(footer) => onChange({ ...value, footer })}
        errorAt={errorAt}
      />
      <ChooseActionKind
        max={MAX_REPLIES}
        value={value}
        onChange={(kind) => onChange({ ...value, ...kind })}
      />
      <ActionFields
        prefix=""
        value={value}
        kind={value}
        onChange={(actions) => onChange({ ...value, ...actions })}
        errorAt={errorAt}
      />
    </>
  );
}

/** The fields of a carousel: a text, what the buttons of all cards are, and the cards. */
export function CarouselFields({
  value,
  onChange,
  errorAt,
}: {
  readonly value: CarouselDraft;
  readonly onChange: (value: CarouselDraft) => void;
  readonly errorAt: ErrorAt;
}) {
  const { send: t } = useTexts();
  const { cards } = value;
  const setCards = (next: readonly CardDraft[]) => onChange({ ...value, cards: next });
  return (
    <>
      <Field
        path="body"
        label={t.freeForm.carouselText}
        lines={2}
        value={value.body}
        onChange={(body) => onChange({ ...value, body })}
        errorAt={errorAt}
      />
      <ChooseActionKind
        max={MAX_CARD_REPLIES}
        value={value}
        onChange={(kind) => onChange({ ...value, ...kind })}
      />
      <Stack gap="sm">
        {cards.map((card, index) => (
          <CardFields
            // biome-ignore lint/suspicious/noArrayIndexKey: cards have nothing but their place
            key={index}
            index={index}
            value={card}
            kind={value}
            onChange={(next) => setCards(cards.map((one, at) => (at === index ? next : one)))}
            errorAt={errorAt}
            {...(cards.length > CARDS.min && {
              onRemove: () => setCards(cards.filter((_, at) => at !== index)),
            })}
            {...(index > 0 && {
              onMoveUp: () => setCards(cards.with(index - 1, card).with(index, cards[index - 1]!)),
            })}
          />
        ))}
      </Stack>
      {cards.length < CARDS.max && (
        <div>
          <Action icon={Plus} variant="default" size="xs" onClick={() => setCards([...cards, emptyCard])}>
            {t.freeForm.addCard}
          </Action>
        </div>
      )}
    </>
  );
}

function CardFields({
  index,
  value,
  kind,
  onChange,
  errorAt,
  onRemove,
  onMoveUp,
}: {
  readonly index: number;
  readonly value: CardDraft;
  readonly kind: CarouselDraft;
  readonly onChange: (value: CardDraft) => void;
  readonly errorAt: ErrorAt;
  readonly onRemove?: () => void;
  readonly onMoveUp?: () => void;
}) {
  const { send } = useTexts();
  const t = send.freeForm;
  const path = `cards[${index}].`;
  return (
    <Paper withBorder p="sm" component="fieldset" m={0} aria-label={t.card(index + 1)}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600}>
          {t.card(index + 1)}
        </Text>
        <Group gap={2}>
          {onMoveUp && (
            <ActionIcon variant="subtle" color="gray" aria-label={t.moveUp(index + 1)} onClick={onMoveUp}>
              <ArrowUp size={15} aria-hidden />
            </ActionIcon>
          )}
          {onRemove && (
            <ActionIcon variant="subtle" color="red" aria-label={t.removeCard(index + 1)} onClick={onRemove}>
              <Trash2 size={15} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      </Group>
      <Stack gap="sm">
        <Field
          path={`${path}media`}
          label={t.media}
          hint={t.cardHint}
          value={value.media}
          onChange={(media) => onChange({ ...value, media })}
          errorAt={errorAt}
          isCode
        />
        <Field
          path={`${path}body`}
          label={t.cardText}
          lines={1}
          value={value.body}
          onChange={(body) => onChange({ ...value, body })}
          errorAt={errorAt}
        />
        <ActionFields
          prefix={path}
          value={value}
          kind={kind}
          onChange={(actions) => onChange({ ...value, ...actions })}
          errorAt={errorAt}
          withIds
        />
      </Stack>
    </Paper>
  );
}

interface ActionKind {
  readonly opening: boolean;
  readonly count: number;
}

/** Chooses the number of replies, or a button that opens a link instead. */
function ChooseActionKind({
  max,
  value: { opening, count },
  onChange,
}: {
  readonly max: number;
  readonly value: ActionKind;
  readonly onChange: (kind: ActionKind) => void;
}) {
  const { freeForm: t } = useTexts().send;
  const counts = Array.from({ length: max }, (_, index) => index + 1);
  return (
    <SegmentedControl
      aria-label={t.buttons}
      value={opening ? 'opens' : String(count)}
      onChange={(value) =>
        onChange(value === 'opens' ? { opening: true, count } : { opening: false, count: Number(value) })
      }
      data={[
        ...counts.map((number) => ({ value: String(number), label: t.replies(number) })),
        { value: 'opens', label: t.opens },
      ]}
    />
  );
}

/** The buttons of a message or card. */
function ActionFields({
  prefix,
  value,
  kind: { opening, count },
  onChange,
  errorAt,
  withIds = false,
}: {
  readonly prefix: string;
  readonly value: Actions;
  readonly kind: ActionKind;
  readonly onChange: (actions: Actions) => void;
  readonly errorAt: ErrorAt;
  /** Replies have ids, so that the events of pressed buttons identify the card. */
  readonly withIds?: boolean;
}) {
  const { freeForm: t } = useTexts().send;
  const { replies, opens } = value;
  if (opening) {
    return (
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        <Field
          path={`${prefix}opens.text`}
          label={t.opensText}
          value={opens.text}
          onChange={(text) => onChange({ replies, opens: { ...opens, text } })}
          errorAt={errorAt}
        />
        <Field
          path={`${prefix}opens.target`}
          label={t.target}
          hint={t.targetHint}
          value={opens.target}
          onChange={(target) => onChange({ replies, opens: { ...opens, target } })}
          errorAt={errorAt}
          isCode
        />
      </SimpleGrid>
    );
  }
  const set = (index: number, changes: Partial<Actions['replies'][number]>) =>
    onChange({ opens, replies: replies.map((one, at) => (at === index ? { ...one, ...changes } : one)) });
  return (
    <Stack gap="xs">
      {replies.slice(0, count).map(({ text, id }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: replies have nothing but their place
        <SimpleGrid key={index} cols={{ base: 1, xs: withIds ? 2 : 1 }} spacing="xs">
          <Field
            path={`${prefix}replies[${index}].text`}
            label={t.reply(index + 1)}
            value={text}
            onChange={(next) => set(index, { text: next })}
            errorAt={errorAt}
          />
          {withIds && (
            <Field
              path={`${prefix}replies[${index}].id`}
              label={t.replyId(index + 1)}
              hint={t.replyIdHint}
              value={id}
              onChange={(next) => set(index, { id: next })}
              errorAt={errorAt}
              isCode
            />
          )}
        </SimpleGrid>
      ))}
    </Stack>
  );
}
