import { Badge, Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { useRefresh } from '../../api/refresh.ts';
import { Form, useSubmission } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { ProgramPasswordCard } from '../../features/credentials/program-password.tsx';
import { TokenError } from '../../features/credentials/token-error.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { MailTokens } from './mail-tokens.tsx';
import { LabelField, NoTokens, useShowToken, useTokenList } from './token-list.tsx';

type Token = Answer<'/v1/tokens'>['tokens'][number];
type Scope = Token['scopes'][number];

const ADDRESS = '/v1/tokens';
const scopes: readonly Scope[] = ['send', 'read', 'contacts', 'codes', 'webhooks', 'billing'];
const validities = [30, 90, 365];

/** The tokens of an account: created, shown once, revoked. */
export default function Tokens() {
  const { tokens: t } = useTexts();
  const { create, list } = useTokenList({
    texts: t,
    address: ADDRESS,
    // Newest first, because a person usually looks for a new token.
    pages: useList(ADDRESS, ({ tokens }) => tokens.toReversed()),
    scopes: { title: t.scopes, cell: (row) => <Scopes token={row} /> },
    expires: { title: t.expires, cell: (row) => <Expiry token={row} /> },
    empty: (button) => <NoTokens title={t.none} hint={t.noneHint} create={button} />,
    CreateForm,
    revoke: (id) => client.DELETE('/v1/tokens/{id}', byId(id)),
  });
  return (
    <Page lead={t.lead} actions={create}>
      {list}
      <MailTokens />
      <ProgramPasswordCard />
    </Page>
  );
}

function Scopes({ token }: { readonly token: Token }) {
  const { tokens: t } = useTexts();
  return (
    <Group gap={4}>
      {token.scopes.map((scope) => (
        <Badge key={scope} variant="light" tt="none">
          {t.scopeNames[scope]}
        </Badge>
      ))}
      {token.made_by !== null && (
        <Badge variant="outline" color="gray" tt="none">
          {t.madeByToken}
        </Badge>
      )}
    </Group>
  );
}

function Expiry({ token: { expires_at, expired } }: { readonly token: Token }) {
  const { tokens: t } = useTexts();
  if (expires_at === null) return t.forever;
  return expired ? <StatusBadge tone="bad">{t.expired}</StatusBadge> : <Time at={expires_at} to="date" />;
}

function CreateForm() {
  const { tokens: t } = useTexts();
  const refresh = useRefresh();
  const show = useShowToken(t.newToken);
  const form = useForm({ initialValues: { label: '', days: '', scopes: [] as Scope[] } });
  const { error, ...submission } = useSubmission(form, async ({ label, days, scopes: chosen }) => {
    const data = await client.POST(ADDRESS, {
      body: { label, scopes: chosen, ...(days !== '' && { days: Number(days) }) },
    });
    await refresh(ADDRESS);
    return show(data.token);
  });
  const unlimited = { value: '', label: t.forGood };
  return (
    <Form
      submission={{ ...submission, error: undefined }}
      action={t.submit}
      disabled={form.values.scopes.length === 0}
    >
      <LabelField form={form} />
      <Checkbox.Group label={t.scopes} description={t.scopesHint} required {...form.getInputProps('scopes')}>
        <Stack gap="xs" mt="xs">
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={t.scopeNames[scope]}
              description={t.scopeMeanings[scope]}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect
        label={t.validity}
        data={[unlimited, ...validities.map((days) => ({ value: String(days), label: t.days(days) }))]}
        {...form.getInputProps('days')}
      />
      <TokenError error={error} limit={t.tooMany} />
    </Form>
  );
}
