import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { writtenText } from '../../components/direction.ts';
import { useSubmission } from '../../components/form.ts';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { isTooMany } from './too-many.ts';

type Token =
  paths['/v1/mail/tokens']['get']['responses'][200]['content']['application/json']['tokens'][number];

const listKey = ['get', '/v1/mail/tokens'] as const;

/** The tokens of the mailing-list API: made, shown once, revoked. */
export function MailTokens() {
  const { mailTokens, tokens: t } = useTexts();
  const queryClient = useQueryClient();
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Token>();
  const pages = usePages(listKey, async () => {
    const { data } = await client.GET('/v1/mail/tokens');
    return { rows: data!.tokens.toReversed(), next: null };
  });
  const make = (
    <Button variant="default" leftSection={<Plus size={17} />} onClick={() => setMaking(true)}>
      {mailTokens.make}
    </Button>
  );
  return (
    <Card title={mailTokens.title} lead={mailTokens.lead} actions={make}>
      <DataTable
        caption={mailTokens.title}
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
            key: 'created',
            title: t.created,
            cell: (row) => <Time at={row.created_at} to="date" />,
            wideOnly: true,
          },
          {
            key: 'used',
            title: t.lastUsed,
            cell: (row) => (row.last_used_at === null ? t.never : <Time at={row.last_used_at} />),
            wideOnly: true,
          },
          {
            key: 'revoke',
            title: t.revoke,
            hiddenTitle: true,
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
        empty={<Empty icon={KeyRound} title={mailTokens.none} />}
      />
      <MakeMailToken opened={making} onClose={() => setMaking(false)} />
      <Confirm
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={revoking ? t.revokeTitle(revoking.label) : ''}
        action={t.revoke}
        danger
        onConfirm={async () => {
          await client.DELETE('/v1/mail/tokens/{id}', { params: { path: { id: revoking!.id } } });
          notifications.show({ message: t.revoked(revoking!.label) });
          await queryClient.invalidateQueries({ queryKey: listKey });
        }}
      >
        {t.revokeText}
      </Confirm>
    </Card>
  );
}

function MakeMailToken({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { mailTokens, tokens: t, common } = useTexts();
  const [token, setToken] = useState<string>();
  function close() {
    setToken(undefined);
    onClose();
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={token === undefined ? mailTokens.make : mailTokens.newToken}
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
          <CodeBlock code={token} label={mailTokens.newToken} />
          <Group justify="flex-end">
            <Button onClick={close}>{t.kept}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function MakeForm({ onMade }: { readonly onMade: (token: string) => void }) {
  const { mailTokens, tokens: t } = useTexts();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { label: '' } });
  const { onSubmit, busy, error } = useSubmission(form, async (body) => {
    const { data } = await client.POST('/v1/mail/tokens', { body });
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
        {isTooMany(error) ? (
          <Alert color="orange" role="alert">
            {mailTokens.tooMany}
          </Alert>
        ) : (
          error !== undefined && <ErrorNote error={error} />
        )}
        <Button type="submit" loading={busy}>
          {mailTokens.submit}
        </Button>
      </Stack>
    </form>
  );
}
