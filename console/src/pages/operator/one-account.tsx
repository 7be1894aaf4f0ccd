import { Anchor, Button, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Coins } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { api, client } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { useSubmission } from '../../components/form.ts';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Fetched } from '../../components/states.tsx';
import { Amount, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { Ledger } from '../wallet/ledger.tsx';
import { type Account, AccountState, accountKey, accountsKey } from './account.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountFields, fieldNames, settingsOf } from './account-settings.tsx';
import { AddCredit } from './add-credit.tsx';

/** One account: its settings, its credit, and the movements of its wallet. */
export default function OneAccount() {
  const { id } = useParams<{ id: string }>();
  const query = api.useQuery('get', '/v1/operator/accounts/{id}', { params: { path: { id } } });
  return <Fetched query={query}>{(account) => <Shown key={account.id} account={account} />}</Fetched>;
}

function Shown({ account }: { readonly account: Account }) {
  const { accounts: t } = useTexts().operator;
  const [crediting, setCrediting] = useState(false);
  return (
    <>
      <Anchor component={Link} href="/operator/accounts" size="sm">
        <Group gap={6} mb="xs">
          <ArrowLeft size={15} className="mirrored" aria-hidden /> {t.title}
        </Group>
      </Anchor>
      <Page
        title={account.name}
        lead={
          <Group gap="xs" component="span">
            <bdi dir="ltr">{account.username}</bdi> · <Time at={account.created_at} to="date" />
            <AccountState account={account} />
          </Group>
        }
        actions={<AccountActions account={account} />}
      >
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Card title={t.credit}>
              <Text size="1.75rem" fw={650} lh={1.2}>
                <Amount value={account.balance} />
              </Text>
              <div>
                <Button leftSection={<Coins size={16} />} onClick={() => setCrediting(true)}>
                  {t.addCredit}
                </Button>
              </div>
            </Card>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Card title={t.settings}>
              <SettingsForm account={account} />
            </Card>
          </Grid.Col>
        </Grid>
        <Stack gap="sm">
          <Title order={2} size="h4">
            {t.ledger}
          </Title>
          <Ledger username={account.username} title={t.ledger} />
        </Stack>
        <AddCredit account={crediting ? account : undefined} onClose={() => setCrediting(false)} />
      </Page>
    </>
  );
}

function SettingsForm({ account }: { readonly account: Account }) {
  const { operator, common } = useTexts();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: {
      name: account.name,
      time_zone: account.time_zone ?? '',
      addresses: account.addresses.join('\n'),
      password_sign_in: account.password_sign_in,
    },
  });
  const { onSubmit, busy, error } = useSubmission(
    form,
    async (values) => {
      await client.PATCH('/v1/operator/accounts/{id}', {
        params: { path: { id: account.id } },
        body: settingsOf(values),
      });
      notifications.show({ message: operator.accounts.saved, color: 'teal' });
      form.resetDirty();
      await queryClient.invalidateQueries({ queryKey: accountKey });
      await queryClient.invalidateQueries({ queryKey: accountsKey });
    },
    fieldNames,
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <AccountFields form={form} />
        {error !== undefined && <ErrorNote error={error} />}
        <div>
          <Button type="submit" loading={busy} disabled={!form.isDirty()}>
            {common.save}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
