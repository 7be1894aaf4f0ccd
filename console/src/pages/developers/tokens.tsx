import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { writtenText } from '../../components/direction.ts';
import { useSubmission } from '../../components/form.ts';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { MailTokens } from './mail-tokens.tsx';
import { ProgramPasswordCard } from './program-password.tsx';
import { isTooMany } from './too-many.ts';

type Token = paths['/v1/tokens']['get']['responses'][200]['content']['application/json']['tokens'][number];
type Scope = Token['scopes'][number];

const scopes: readonly Scope[] = ['send', 'read', 'contacts', 'codes', 'webhooks', 'billing'];

const listKey = ['get', '/v1/tokens'] as const;
const validities = [30, 90, 365];

/** The tokens of an account: made, shown once, revoked. */
export default function Tokens() {
  const { tokens: t } = useTexts();
  const queryClient = useQueryClient();
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Token>();
  const pages = usePages(listKey, async () => {
    const { data } = await client.GET('/v1/tokens');
    // The newest first: it is what somebody looks for.
    return { rows: data!.tokens.toReversed(), next: null };
  });
  const make = (
    <Button leftSection={<Plus size={17} />} onClick={() => setMaking(true)}>
      {t.make}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={make}>
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'label',
            title: t.label,
            cell: (row) => (
              <Text size="sm" fw={600} dir="auto" ta="start">
                {row.label}
              </Text>
            ),
          },
          {
            key: 'scopes',
            title: t.scopes,
            cell: (row) => (
              <Group gap={4}>
                {row.scopes.map((scope) => (
                  <Badge key={scope} variant="light" tt="none">
                    {t.scopeNames[scope]}
                  </Badge>
                ))}
                {row.made_by !== null && (
                  <Badge variant="outline" color="gray" tt="none">
                    {t.madeByToken}
                  </Badge>
                )}
              </Group>
            ),
          },
          {
            key: 'created',
            title: t.created,
            cell: (row) => <Time at={row.created_at} to="date" />,
            wideOnly: true,
          },
          {
            key: 'expires',
            title: t.expires,
            cell: (row) =>
              row.expires_at === null ? (
                t.forever
              ) : row.expired ? (
                <StatusBadge tone="bad">{t.expired}</StatusBadge>
              ) : (
                <Time at={row.expires_at} to="date" />
              ),
          },
          {
            key: 'used',
            title: t.lastUsed,
            cell: (row) => (row.last_used_at === null ? t.never : <Time at={row.last_used_at} />),
            wideOnly: true,
          },
          {
            key: 'revoke',
            title: '',
            align: 'end',
            cell: (row) => (
              <Button
                size="xs"
                variant="subtle"
                color="red"
                aria-label={t.revokeOne(row.label)}
                onClick={() => setRevoking(row)}
              >
                {t.revoke}
              </Button>
            ),
          },
        ]}
        empty={
          <Empty icon={KeyRound} title={t.none} action={make}>
            {t.noneHint}
          </Empty>
        }
      />
      <MailTokens />
      <ProgramPasswordCard />
      <MakeToken opened={making} onClose={() => setMaking(false)} />
      <Confirm
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={revoking ? t.revokeTitle(revoking.label) : ''}
        action={t.revoke}
        danger
        onConfirm={async () => {
          await client.DELETE('/v1/tokens/{id}', { params: { path: { id: revoking!.id } } });
          notifications.show({ message: t.revoked(revoking!.label) });
          await queryClient.invalidateQueries({ queryKey: listKey });
        }}
      >
        {t.revokeText}
      </Confirm>
    </Page>
  );
}

function MakeToken({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { tokens: t, common } = useTexts();
  const [token, setToken] = useState<string>();
  function close() {
    setToken(undefined);
    onClose();
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={token === undefined ? t.make : t.newToken}
      size="lg"
      centered
      // A stray click would lose what is shown once.
      closeOnClickOutside={token === undefined}
      closeOnEscape={token === undefined}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {token === undefined ? (
        <MakeForm onMade={setToken} />
      ) : (
        <Stack>
          <Alert color="orange" title={t.shownOnce}>
            {t.shownOnceText}
          </Alert>
          <CodeBlock code={token} label={t.newToken} />
          <Group justify="flex-end">
            <Button onClick={close}>{t.kept}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function MakeForm({ onMade }: { readonly onMade: (token: string) => void }) {
  const { tokens: t } = useTexts();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { label: '', days: '', scopes: [...scopes] as Scope[] } });
  const { onSubmit, busy, error } = useSubmission(form, async ({ label, days, scopes: chosen }) => {
    const { data } = await client.POST('/v1/tokens', {
      body: { label, scopes: chosen, ...(days !== '' && { days: Number(days) }) },
    });
    onMade(data!.token);
    await queryClient.invalidateQueries({ queryKey: listKey });
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={t.label}
          placeholder={t.labelExample}
          maxLength={100}
          required
          withAsterisk={false}
          data-autofocus
          {...writtenText}
          {...form.getInputProps('label')}
        />
        <Checkbox.Group
          label={t.scopes}
          description={t.scopesHint}
          required
          withAsterisk={false}
          {...form.getInputProps('scopes')}
        >
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
          data={[
            { value: '', label: t.forGood },
            ...validities.map((days) => ({ value: String(days), label: t.days(days) })),
          ]}
          {...form.getInputProps('days')}
        />
        {isTooMany(error) ? (
          <Alert color="orange" role="alert">
            {t.tooMany}
          </Alert>
        ) : (
          error !== undefined && <ErrorNote error={error} />
        )}
        <Button type="submit" loading={busy} disabled={form.values.scopes.length === 0}>
          {t.submit}
        </Button>
      </Stack>
    </form>
  );
}
