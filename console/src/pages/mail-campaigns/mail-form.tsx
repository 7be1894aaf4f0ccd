import {
  Anchor,
  Autocomplete,
  Button,
  Group,
  Input,
  Menu,
  MultiSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Braces, Send } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { api, client } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { writtenText } from '../../components/direction.ts';
import { Fetched } from '../../components/states.tsx';
import { instantOf } from '../../components/time-zone.ts';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { EstimateCard } from '../send/estimate.tsx';
import { When } from '../send/when.tsx';
import { MailPreview } from './preview.tsx';
import { TryMail } from './try-mail.tsx';
import { useMailLists } from './use-mail-lists.ts';

/** After the last key. */
const PAUSE_MS = 400;
const standardFields = ['FirstName', 'LastName', 'EmailAddress', 'Cellphone', 'unsubscribe'] as const;

type Form = 'html' | 'text';

/** A mail to lists. `?list=` in the address chooses one. */
export function MailForm() {
  const { mailCampaigns: t, send: words } = useTexts();
  const language = useLanguage();
  const zone = useSession().account?.time_zone ?? undefined;
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [asked] = useSearchParams();
  const area = useRef<HTMLTextAreaElement>(null);
  const [fromName, setFromName] = useState('');
  const [fromAddress, setFromAddress] = useState('');
  const [replyTo, setReplyTo] = useState('');
  const [subject, setSubject] = useState('');
  const [contents, setContents] = useState<Readonly<Record<Form, string>>>({ html: '', text: '' });
  const [form, setForm] = useState<Form>('html');
  const [lists, setLists] = useState<readonly string[]>(asked.getAll('list'));
  const [name, setName] = useState('');
  const [at, setAt] = useState('');
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const sources = api.useQuery('get', '/v1/sources');
  const mailLists = useMailLists();
  const senders = sources.data?.sources.filter(
    ({ kind, source }) => kind === 'mail' && !source.startsWith('@'),
  );
  const columns = [
    ...new Set(mailLists.data?.filter(({ id }) => lists.includes(id)).flatMap((list) => list.columns)),
  ];

  const dueAt = at === '' ? null : instantOf(at, zone);
  const isWritten = contents.html.trim() !== '' || contents.text.trim() !== '';
  const problems = {
    from: fromAddress.trim() === '' ? t.noFrom : undefined,
    subject: subject.trim() === '' ? t.noSubject : undefined,
    content: isWritten ? undefined : t.noContent,
    to: lists.length === 0 ? t.noTo : undefined,
    at: dueAt !== null && dueAt.getTime() < Date.now() ? words.past : undefined,
  };
  const unfinished = problems.subject ?? problems.content ?? problems.from;
  const firstProblem = unfinished ?? problems.to ?? problems.at;
  const content = {
    from: { name: fromName.trim(), address: fromAddress.trim() },
    reply_to: replyTo.trim() || null,
    subject,
    html: contents.html.trim() === '' ? null : contents.html,
    text: contents.text.trim() === '' ? null : contents.text,
    lists: lists.map(Number),
  };
  const body = { ...content, name: name.trim() || null, at: dueAt?.toISOString() ?? null };

  const [settled] = useDebouncedValue(JSON.stringify(body), PAUSE_MS);
  const preview = useQuery({
    queryKey: ['mail-preview', settled],
    queryFn: async () => {
      const { data } = await client.POST('/v1/mail/campaigns/preview', {
        body: JSON.parse(settled) as typeof body,
      });
      return data!;
    },
    enabled: isWritten && subject.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  });
  const estimate = useQuery({
    queryKey: ['mail-estimate', settled],
    queryFn: async () => {
      const { data } = await client.POST('/v1/mail/campaigns/estimate', {
        body: JSON.parse(settled) as typeof body,
      });
      return { ...data!, enough: Number(data!.balance) >= Number(data!.cost) };
    },
    enabled: firstProblem === undefined,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  });
  const measure = firstProblem === undefined ? estimate.data : undefined;

  function insert(field: string) {
    const piece = `{{${field}}}`;
    const written = contents[form];
    const input = area.current;
    const [start, end] = input
      ? [input.selectionStart, input.selectionEnd]
      : [written.length, written.length];
    setContents({ ...contents, [form]: written.slice(0, start) + piece + written.slice(end) });
    requestAnimationFrame(() => {
      input?.focus();
      input?.setSelectionRange(start + piece.length, start + piece.length);
    });
  }

  async function send() {
    const { data } = await client.POST('/v1/mail/campaigns', { body });
    notifications.show({ message: at === '' ? words.sent : words.scheduled, color: 'teal' });
    void queryClient.invalidateQueries({ queryKey: ['get', '/v1/wallet'] });
    void queryClient.invalidateQueries({ queryKey: ['mail-campaigns'] });
    navigate(`/mail-campaigns/${data!.id}`);
  }

  const shown = (problem: string | undefined) => (tried ? problem : undefined);
  const hint = tried && firstProblem !== undefined ? undefined : (firstProblem ?? words.estimating);
  return (
    <form
      className="send compose-mail"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (firstProblem === undefined) setAsking(true);
      }}
    >
      <Stack gap="lg">
        <Card title={t.content}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t.fromName}
              {...writtenText}
              maxLength={100}
              value={fromName}
              onChange={(event) => setFromName(event.currentTarget.value)}
            />
            <Autocomplete
              label={t.fromAddress}
              description={t.fromHint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              dir="ltr"
              data={senders?.map(({ source }) => source) ?? []}
              value={fromAddress}
              onChange={setFromAddress}
              error={shown(problems.from)}
              maxLength={320}
            />
          </SimpleGrid>
          <TextInput
            label={t.replyTo}
            description={t.replyToHint}
            inputWrapperOrder={['label', 'input', 'description']}
            dir="ltr"
            maxLength={320}
            value={replyTo}
            onChange={(event) => setReplyTo(event.currentTarget.value)}
          />
          <TextInput
            label={t.subject}
            {...writtenText}
            maxLength={500}
            value={subject}
            error={shown(problems.subject)}
            onChange={(event) => setSubject(event.currentTarget.value)}
          />
          <Group justify="space-between">
            <SegmentedControl
              aria-label={t.form}
              value={form}
              onChange={setForm}
              data={(['html', 'text'] as const).map((value) => ({ value, label: t[value] }))}
            />
            <Menu position="bottom-end">
              <Menu.Target>
                <Button size="xs" variant="default" leftSection={<Braces size={15} aria-hidden />}>
                  {t.insertField}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Label>{t.insertFieldHint}</Menu.Label>
                {standardFields.map((field) => (
                  <Menu.Item key={field} onClick={() => insert(field)}>
                    {t.fieldNames[field]}
                  </Menu.Item>
                ))}
                {columns.map((column) => (
                  <Menu.Item key={`list ${column}`} onClick={() => insert(column)}>
                    <bdi>{column}</bdi>
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          </Group>
          <Textarea
            ref={area}
            label={t[form]}
            description={t.htmlHint}
            {...writtenText}
            {...(form === 'html' && { className: 'mail-source' })}
            autosize
            minRows={10}
            maxRows={24}
            value={contents[form]}
            error={shown(problems.content)}
            onChange={(event) => setContents({ ...contents, [form]: event.currentTarget.value })}
          />
        </Card>
        <Card title={t.to}>
          <Fetched query={mailLists} lines={2}>
            {(all) =>
              all.length === 0 ? (
                <Text size="sm" c="dimmed">
                  {t.noLists}{' '}
                  <Anchor component={Link} href="/mailing-lists" size="sm" underline="always">
                    {t.makeList}
                  </Anchor>
                </Text>
              ) : (
                <MultiSelect
                  label={t.lists}
                  placeholder={lists.length === 0 ? t.listsHint : ''}
                  data={all.map((list) => ({
                    value: list.id,
                    label: t.listCount(list.name, list.active.toLocaleString(language)),
                  }))}
                  value={[...lists]}
                  onChange={setLists}
                  error={shown(problems.to)}
                  searchable
                  clearable
                  hidePickedOptions
                  limit={100}
                />
              )
            }
          </Fetched>
          <When value={at} onChange={setAt} error={problems.at} />
          <TextInput
            label={words.campaignName}
            description={words.campaignNameHint}
            inputWrapperOrder={['label', 'input', 'description']}
            {...writtenText}
            maxLength={50}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            w={{ base: '100%', xs: 280 }}
          />
        </Card>
      </Stack>
      <div className="send-side">
        <MailPreview
          preview={isWritten && subject.trim() !== '' ? preview.data : undefined}
          from={`${content.from.name} ${content.from.address}`.trim()}
          error={isWritten && subject.trim() !== '' ? preview.error : null}
        />
        <TryMail
          disabled={unfinished !== undefined}
          send={async (to) => {
            const { data } = await client.POST('/v1/mail/campaigns/test', { body: { ...content, to } });
            return data!.mails;
          }}
        />
        <EstimateCard
          estimate={measure}
          busy={estimate.isFetching || settled !== JSON.stringify(body)}
          error={firstProblem === undefined ? estimate.error : null}
          hint={hint}
          {...(measure && { note: `${t.price}: ${Number(measure.price).toLocaleString(language)}` })}
        >
          {tried && firstProblem !== undefined && <Input.Error role="alert">{firstProblem}</Input.Error>}
          <Button type="submit" size="md" leftSection={<Send size={17} className="mirrored" aria-hidden />}>
            {at === '' ? words.send : words.schedule}
          </Button>
        </EstimateCard>
      </div>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.confirmTitle}
        action={at === '' ? words.send : words.schedule}
        onConfirm={send}
      >
        {(at === '' ? words.confirm : words.confirmLater)(
          (measure?.recipients ?? 0).toLocaleString(language),
          Number(measure?.cost ?? 0).toLocaleString(language),
        )}
      </Confirm>
    </form>
  );
}
