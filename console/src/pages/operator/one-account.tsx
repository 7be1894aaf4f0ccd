import { Grid, Group, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Coins } from 'lucide-react';
import { useParams } from 'wouter';
import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Amount, Time } from '../../components/values.tsx';
import { Ledger } from '../../features/wallet/ledger.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ACCOUNT, ACCOUNTS, type Account, AccountState } from './account.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountBudgets } from './account-budgets.tsx';
import { AccountHeld } from './account-held.tsx';
import { AccountPeople } from './account-people.tsx';
import { AccountRetention } from './account-retention.tsx';
import { AccountFields, fieldNames, settingsOf } from './account-settings.tsx';
import { CreditForm } from './add-credit.tsx';
import { useOperatorTexts } from './texts.ts';

/** One account: its settings, its credit, and the movements of its wallet. */
export default function OneAccount() {
  const { id } = useParams<{ id: string }>();
  const query = useAnswer('/v1/operator/accounts/{id}', byId(id));
  return <Fetched query={query}>{(account) => <Shown key={account.id} account={account} />}</Fetched>;
}

function Shown({ account }: { readonly account: Account }) {
  const { accounts: t } = useOperatorTexts();
  const { open } = useDialogs();
  return (
    <Page
      back="/operator/accounts"
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
        {(account.suspended || account.suspended_by_parent) && (
          <Grid.Col span={12}>
            <AccountHeld account={account} />
          </Grid.Col>
        )}
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Card title={t.credit}>
            <Text size="1.75rem" fw={650} lh={1.2}>
              <Amount value={account.balance} unit />
            </Text>
            <div>
              <Action
                icon={Coins}
                onClick={() => open(t.creditTitle(account.name), <CreditForm account={account} />)}
              >
                {t.addCredit}
              </Action>
            </div>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Card title={t.settings}>
            <SettingsForm account={account} />
          </Card>
        </Grid.Col>
        <Grid.Col span={12}>
          <AccountPeople account={account} />
        </Grid.Col>
        <Grid.Col span={12}>
          <AccountBudgets id={account.id} />
        </Grid.Col>
        <Grid.Col span={12}>
          <AccountRetention id={account.id} />
        </Grid.Col>
      </Grid>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t.ledger}
        </Title>
        <Ledger username={account.username} title={t.ledger} />
      </Stack>
    </Page>
  );
}

function SettingsForm({ account }: { readonly account: Account }) {
  const operator = useOperatorTexts();
  const { common } = useTexts();
  const done = useDone();
  const refresh = useRefresh();
  const form = useForm({
    initialValues: {
      name: account.name,
      time_zone: account.time_zone ?? '',
      addresses: account.addresses.join('\n'),
      password_sign_in: account.password_sign_in,
    },
  });
  const submission = useSubmission(
    form,
    async (values) => {
      await client.PATCH('/v1/operator/accounts/{id}', { ...byId(account.id), body: settingsOf(values) });
      await done(operator.accounts.saved);
      form.resetDirty();
      await refresh(ACCOUNT, ACCOUNTS);
    },
    fieldNames,
  );
  return (
    <Form submission={submission} action={common.save} disabled={!form.isDirty()} narrow>
      <AccountFields form={form} />
    </Form>
  );
}
