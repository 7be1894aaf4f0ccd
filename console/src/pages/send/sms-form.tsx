import {
  ActionIcon,
  Anchor,
  Autocomplete,
  Button,
  Checkbox,
  Group,
  Input,
  Menu,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Braces, Send as SendIcon, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { api, client } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { writtenText } from '../../components/direction.ts';
import { ErrorNote } from '../../components/states.tsx';
import { instantOf } from '../../components/time-zone.ts';
import { Amount } from '../../components/values.tsx';
import { PhonePreview } from '../../handset/phone-preview.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { ChooseRecipients } from './choose-recipients.tsx';
import { EstimateCard } from './estimate.tsx';
import { InsertLink, type TextLink } from './insert-link.tsx';
import { CALL_ONLY, ReadAloud, type Speech } from './read-aloud.tsx';
import { chosenOf, nobody, recipientsProblem } from './recipients.ts';
import { useSent } from './sent.ts';
import { useContactLists } from './use-contact-lists.ts';
import { When } from './when.tsx';

/** After the last key. */
const PAUSE_MS = 350;
/** To more than this one is asked first. */
const MANY = 20;
const FIELDS = [1, 2, 3, 4, 5, 6];
const RECENT_DAYS = [1, 3, 7, 14];
const fieldPattern = /\[DYNAMIC_FIELD([1-6])\]/g;

type Removal = 'none' | 'link' | 'reply';

/** One text to phones, contact lists or a file. */
export function SmsForm() {
  const { send: t } = useTexts();
  const texts = useTexts();
  const language = useLanguage();
  const zone = useSession().account?.time_zone ?? undefined;
  const sent = useSent();
  const area = useRef<HTMLTextAreaElement>(null);
  const [source, setSource] = useState('');
  const [message, setMessage] = useState('');
  const [links, setLinks] = useState<readonly TextLink[]>([]);
  const [speech, setSpeech] = useState<Speech | null>(null);
  const [removal, setRemoval] = useState<Removal>('none');
  const [recipients, setRecipients] = useState(nobody);
  const [international, setInternational] = useState(false);
  const [recentDays, setRecentDays] = useState(0);
  const [name, setName] = useState('');
  const [at, setAt] = useState('');
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const sources = api.useQuery('get', '/v1/sources');
  const senders = sources.data?.sources.filter(({ kind }) => kind !== 'mail');
  const contactLists = useContactLists();

  const chosen = chosenOf(recipients);
  const dynamic = message.match(fieldPattern) !== null;
  const oneList =
    chosen.lists.length === 1 && chosen.phones.length === 0
      ? contactLists.data?.find(({ id }) => id === chosen.lists[0])
      : undefined;
  const fieldName = (field: number) => oneList?.columns[field - 1] || t.field(field);
  const dueAt = at === '' ? null : instantOf(at, zone);
  const formProblems = {
    source: source.trim() === '' ? t.noSender : undefined,
    message:
      message.trim() === ''
        ? t.noText
        : dynamic && (chosen.lists.length !== 1 || chosen.phones.length > 0)
          ? t.fieldsWantOneList
          : undefined,
    recipients: recipientsProblem(recipients, texts),
    at: dueAt !== null && dueAt.getTime() < Date.now() ? t.past : undefined,
  };
  const body = {
    message,
    links: links.filter(({ id }) => message.includes(`[link-${id}]`)).map(({ id, url }) => ({ id, url })),
    dynamic: dynamic && formProblems.message === undefined,
    removal: removal === 'none' ? null : removal,
    tts: speech,
    phones: [...chosen.phones],
    lists: [...chosen.lists],
    includes_international: international,
    recent_days: recentDays === 0 ? null : recentDays,
    at: dueAt?.toISOString() ?? null,
  };
  const [asked] = useDebouncedValue(JSON.stringify(body), PAUSE_MS);
  const estimate = useQuery({
    queryKey: ['sms-estimate', asked],
    queryFn: async () => {
      const { data } = await client.POST('/v1/sms/estimate', { body: JSON.parse(asked) as typeof body });
      return data!;
    },
    enabled: (JSON.parse(asked) as typeof body).message.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  });
  const measure = message.trim() === '' ? undefined : estimate.data;
  const spoken = speech === null ? undefined : (measure?.voice ?? undefined);
  const isCallOnly = speech?.type === CALL_ONLY;
  const problems = {
    ...formProblems,
    aloud:
      spoken === undefined
        ? undefined
        : spoken.problem !== null
          ? `${t.aloud.cannot}: ${spoken.problem}`
          : spoken.text === ''
            ? t.aloud.nothing
            : undefined,
  };
  const firstProblem = Object.values(problems).find((problem) => problem !== undefined);
  const isBusy = estimate.isFetching || asked !== JSON.stringify(body);
  const hasRecipients = problems.recipients === undefined;
  const preview = dynamic
    ? message.replace(fieldPattern, (_, field: string) => `«${fieldName(Number(field))}»`)
    : (measure?.text ?? message);

  function insert(piece: string) {
    const input = area.current;
    const [start, end] = input
      ? [input.selectionStart, input.selectionEnd]
      : [message.length, message.length];
    setMessage(message.slice(0, start) + piece + message.slice(end));
    requestAnimationFrame(() => {
      input?.focus();
      input?.setSelectionRange(start + piece.length, start + piece.length);
    });
  }

  async function send() {
    setBusy(true);
    setError(null);
    try {
      const { data } = await client.POST('/v1/sms', {
        body: {
          ...body,
          source: source.trim(),
          ...(name.trim() !== '' && { campaign_name: name.trim() }),
        },
      });
      await sent(data!.shipment_id, chosen.phones.length === 1 && chosen.lists.length === 0, dueAt !== null);
    } finally {
      setBusy(false);
    }
  }

  function submit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (firstProblem !== undefined) return;
    if (chosen.lists.length > 0 || chosen.phones.length > MANY) setAsking(true);
    else send().catch(setError);
  }

  const shown = (problem: string | undefined) => (tried ? problem : undefined);
  const unfinished = message.trim() === '' ? t.writeFirst : problems.recipients;
  // What keeps one from sending is told once.
  const hint = tried && firstProblem !== undefined ? undefined : (unfinished ?? t.estimating);
  const many = {
    recipients: (measure?.recipients ?? 0).toLocaleString(language),
    cost: Number(measure?.cost ?? 0).toLocaleString(language),
  };
  return (
    <form className="send" onSubmit={submit} noValidate>
      <Stack gap="lg">
        <Card title={t.message}>
          <Autocomplete
            label={t.sender}
            description={t.senderHint}
            dir="ltr"
            data={senders?.map((one) => one.source) ?? []}
            value={source}
            onChange={setSource}
            error={shown(problems.source)}
            maxLength={50}
            maw={320}
          />
          <div>
            <Textarea
              ref={area}
              label={t.text}
              placeholder={t.textPlaceholder}
              {...writtenText}
              autosize
              minRows={4}
              maxRows={14}
              maxLength={2_000}
              value={message}
              onChange={(event) => setMessage(event.currentTarget.value)}
              error={shown(problems.message)}
            />
            <div className="text-measure" aria-live="polite">
              {measure ? (
                isCallOnly ? (
                  <span>{t.aloud.onlyCalls}</span>
                ) : (
                  <>
                    <b>{t.parts(measure.parts)}</b>
                    <span title={t.encodingHint[measure.encoding]}>{t.encodings[measure.encoding]}</span>
                    <span>{t.left(measure.units_left)}</span>
                    <span>
                      {t.partPrice}: <Amount value={measure.part_price} />
                    </span>
                  </>
                )
              ) : (
                <span>{message.trim() === '' ? t.writeFirst : t.estimating}</span>
              )}
            </div>
          </div>
          <Group gap="xs">
            <InsertLink
              links={links}
              onInsert={(link) => {
                setLinks([...links, link]);
                insert(`[link-${link.id}]`);
              }}
            />
            <Menu position="bottom-start">
              <Menu.Target>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<Braces size={15} aria-hidden />}
                  title={t.insertFieldHint}
                >
                  {t.insertField}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Label>{t.insertFieldHint}</Menu.Label>
                {FIELDS.map((field) => (
                  <Menu.Item key={field} onClick={() => insert(`[DYNAMIC_FIELD${field}]`)}>
                    <bdi>{fieldName(field)}</bdi>
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          </Group>
          {links.length > 0 && (
            <ul className="link-list" aria-label={t.links}>
              {links.map((link) => (
                <li key={link.id}>
                  <bdi dir="ltr">[link-{link.id}]</bdi>
                  <Anchor href={link.url} target="_blank" rel="noreferrer" size="sm" dir="ltr">
                    {link.url}
                  </Anchor>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={t.removeLink(link.id)}
                    onClick={() => {
                      setLinks(links.filter((one) => one !== link));
                      setMessage(message.replaceAll(`[link-${link.id}]`, ''));
                    }}
                  >
                    <Trash2 size={14} />
                  </ActionIcon>
                </li>
              ))}
            </ul>
          )}
          <ReadAloud value={speech} onChange={setSpeech} message={message} spoken={spoken} />
          <Group gap="md" align="flex-start">
            <Select
              label={t.removal}
              data={(['none', 'link', 'reply'] as const).map((value) => ({
                value,
                label: t.removals[value],
              }))}
              value={removal}
              onChange={(value) => setRemoval((value ?? 'none') as Removal)}
              allowDeselect={false}
              w={{ base: '100%', xs: 170 }}
            />
            <TextInput
              label={t.campaignName}
              description={t.campaignNameHint}
              inputWrapperOrder={['label', 'input', 'description']}
              {...writtenText}
              maxLength={50}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              w={{ base: '100%', xs: 240 }}
            />
          </Group>
        </Card>
        <Card title={t.to}>
          <ChooseRecipients value={recipients} onChange={setRecipients} error={shown(problems.recipients)} />
          <Group gap="lg" align="flex-end">
            <Select
              label={t.recent}
              data={[
                { value: '0', label: t.recentDays.none },
                ...RECENT_DAYS.map((days) => ({ value: String(days), label: t.recentDays.days(days) })),
              ]}
              value={String(recentDays)}
              onChange={(value) => setRecentDays(Number(value ?? 0))}
              allowDeselect={false}
              w={{ base: '100%', xs: 280 }}
            />
            <Checkbox
              label={t.international}
              checked={international}
              onChange={(event) => setInternational(event.currentTarget.checked)}
              pb={8}
            />
          </Group>
          <When value={at} onChange={setAt} error={problems.at} />
        </Card>
      </Stack>
      <div className="send-side">
        {!isCallOnly && (
          <PhonePreview
            sender={source.trim() || t.sender}
            content={{ header: null, body: preview, footer: '', buttons: [], cards: [] }}
          />
        )}
        <EstimateCard
          estimate={measure && hasRecipients ? measure : undefined}
          busy={isBusy}
          error={message.trim() === '' ? null : estimate.error}
          hint={hint}
        >
          {error !== null && <ErrorNote error={error} />}
          {tried && firstProblem !== undefined && <Input.Error role="alert">{firstProblem}</Input.Error>}
          <Button
            type="submit"
            size="md"
            loading={busy}
            leftSection={<SendIcon size={17} className="mirrored" aria-hidden />}
          >
            {at === '' ? t.send : t.schedule}
          </Button>
          {senders?.length === 0 && !sources.data?.any && (
            <Text size="xs" c="dimmed">
              {t.noSources}{' '}
              <Anchor component={Link} href="/sources" size="xs">
                {t.toSources}
              </Anchor>
            </Text>
          )}
        </EstimateCard>
      </div>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t.confirmTitle}
        action={at === '' ? t.send : t.schedule}
        onConfirm={send}
      >
        {(at === '' ? t.confirm : t.confirmLater)(many.recipients, many.cost)}
      </Confirm>
    </form>
  );
}
