import {
  Group,
  NativeSelect,
  NumberInput,
  Paper,
  Progress,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { MessagesSquare, Pencil, Plus } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { Action } from '../../components/action.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { MoreRows } from '../../components/more-rows.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { Phone } from '../../components/values.tsx';
import { QualityBadge, StandingProblems } from '../../features/templates/standing.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { AccountSelect } from './account-select.tsx';
import { useOperatorTexts } from './texts.ts';

type Portfolio = Answer<'/v1/operator/chat-portfolios'>['portfolios'][number];
const PORTFOLIOS = '/v1/operator/chat-portfolios';
const ROWS = 30;
const tiers = [250, 2_000, 10_000, 100_000, 1_000_000];

/** Business accounts and numbers of chat, of all accounts. */
export default function ChatNumbers() {
  const { chat: t } = useOperatorTexts();
  const { open } = useDialogs();
  const pages = useList(PORTFOLIOS, ({ portfolios }) => portfolios, { query: { limit: ROWS } });
  const add = (
    <Action icon={Plus} onClick={() => open(t.add, <AddPortfolio />)}>
      {t.add}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={add}>
      {pages.rows === undefined && <ErrorNote error={pages.error} onRetry={pages.retry} />}
      {pages.rows === undefined && pages.error === null && <Loading />}
      {pages.rows?.length === 0 && (
        <Paper withBorder>
          <Empty icon={MessagesSquare} title={t.none} action={add} hint={t.noneHint} />
        </Paper>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {pages.rows?.map((portfolio) => (
          <PortfolioCard key={portfolio.id} portfolio={portfolio} />
        ))}
      </SimpleGrid>
      <MoreRows pages={pages} scrolls />
    </Page>
  );
}

function PortfolioCard({ portfolio }: { readonly portfolio: Portfolio }) {
  const { open } = useDialogs();
  const { chat: t } = useOperatorTexts();
  const language = useLanguage();
  const digits = (value: number) => value.toLocaleString(language);
  const { name, username, platform_id: platformId, tier, reached, problem, problems, numbers } = portfolio;
  const used = t.reached(digits(reached), digits(tier));
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} size="h5">
            <bdi>{name}</bdi>
          </Title>
          <Muted size="xs">
            <bdi dir="ltr">{username}</bdi> · {t.platformId} <bdi dir="ltr">{platformId}</bdi>
          </Muted>
        </div>
        <Action
          icon={Pencil}
          size="xs"
          variant="default"
          aria-label={t.changeOne(name)}
          onClick={() => open(t.changeOne(name), <ChangePortfolio portfolio={portfolio} />)}
        >
          {t.change}
        </Action>
      </Group>
      {problem !== null && (
        <Text size="sm" mt="sm" c="red" role="note">
          {t.tokenLost}
        </Text>
      )}
      <Stack mt="sm">
        <StandingProblems problems={problems} />
      </Stack>
      <Text size="sm" mt="sm">
        {used}
      </Text>
      <Progress
        value={(reached / tier) * 100}
        color={reached >= tier * 0.9 ? 'orange.7' : 'verdigris.6'}
        aria-label={used}
        mt={4}
      />
      <Stack gap={6} mt="md" component="ul" className="plain-list" aria-label={t.numbers}>
        {numbers.length === 0 && <Muted component="li">{t.noNumbers}</Muted>}
        {numbers.map((number) => (
          <Group key={number.phone} justify="space-between" component="li" gap="xs">
            <Text size="sm" fw={600}>
              <Phone number={number.phone} />{' '}
              <Text span inherit fw={400}>
                <bdi>{number.name === number.phone ? '' : number.name}</bdi>
              </Text>
            </Text>
            <QualityBadge quality={number.quality} />
            <Muted size="xs">
              {number.messages_per_second === 0
                ? t.unlimited
                : t.perSecond(digits(number.messages_per_second))}
            </Muted>
          </Group>
        ))}
      </Stack>
      <Action
        icon={Plus}
        mt="sm"
        size="xs"
        variant="light"
        aria-label={t.addNumberTo(name)}
        onClick={() => open(t.addNumberTo(name), <AddNumber portfolio={portfolio} />)}
      >
        {t.addNumber}
      </Action>
    </Paper>
  );
}

function useTierChoices() {
  const language = useLanguage();
  return tiers.map((tier) => ({ value: String(tier), label: tier.toLocaleString(language) }));
}

function AddPortfolio() {
  const { chat: t } = useOperatorTexts();
  const done = useDone();
  const form = useForm({
    initialValues: { account_id: '', name: '', platform_id: '', access_token: '', tier: '250' },
  });
  const submission = useSubmission(form, async ({ tier, ...values }) => {
    await client.POST('/v1/operator/chat-portfolios', { body: { ...values, tier: Number(tier) } });
    await done(t.added, PORTFOLIOS);
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.addSubmit}>
      <AccountSelect label={t.account} required {...form.getInputProps('account_id')} />
      {field.text('name', t.name, { written: true, required: true })}
      {field.text('platform_id', t.platformId, { required: true, inputMode: 'numeric' })}
      <PasswordField
        label={t.accessToken}
        description={t.accessTokenHint}
        autoComplete="off"
        required
        {...form.getInputProps('access_token')}
      />
      <NativeSelect label={t.tier} data={useTierChoices()} {...form.getInputProps('tier')} />
    </Form>
  );
}

function ChangePortfolio({ portfolio }: { readonly portfolio: Portfolio }) {
  const operator = useOperatorTexts();
  const { common } = useTexts();
  const { chat: t } = operator;
  const done = useDone();
  const form = useForm({ initialValues: { tier: String(portfolio.tier), access_token: '' } });
  const submission = useSubmission(form, async ({ tier, access_token: token }) => {
    await client.PATCH('/v1/operator/chat-portfolios/{id}', {
      ...byId(portfolio.id),
      body: { tier: Number(tier), ...(token !== '' && { access_token: token }) },
    });
    await done(t.changed, PORTFOLIOS);
  });
  return (
    <Form submission={submission} action={common.save}>
      <NativeSelect label={t.tier} data={useTierChoices()} {...form.getInputProps('tier')} />
      <PasswordField
        label={t.accessToken}
        description={t.tokenLeft}
        autoComplete="off"
        required={false}
        {...form.getInputProps('access_token')}
      />
    </Form>
  );
}

function AddNumber({ portfolio }: { readonly portfolio: Portfolio }) {
  const { chat: t } = useOperatorTexts();
  const done = useDone();
  const form = useForm({
    initialValues: { phone: '', name: '', platform_id: '', messages_per_second: 80 },
  });
  const submission = useSubmission(form, async ({ name, ...values }) => {
    await client.POST('/v1/operator/chat-portfolios/{id}/numbers', {
      ...byId(portfolio.id),
      body: { ...values, ...(name.trim() !== '' && { name: name.trim() }) },
    });
    await done(t.numberAdded, PORTFOLIOS);
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.addNumber}>
      {field.text('phone', t.phone, { required: true, inputMode: 'tel' })}
      {field.text('name', t.name, { written: true })}
      {field.text('platform_id', t.platformId, { required: true, inputMode: 'numeric' })}
      <NumberInput
        label={t.rate}
        description={t.rateHint}
        min={0}
        max={1_000}
        allowDecimal={false}
        {...form.getInputProps('messages_per_second')}
      />
    </Form>
  );
}
