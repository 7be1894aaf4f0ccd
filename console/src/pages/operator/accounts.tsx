import { useForm } from '@mantine/form';
import { Building2, Plus } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { useList } from '../../api/paging.ts';
import { Action } from '../../components/action.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Empty } from '../../components/states.tsx';
import { Named } from '../../components/text.tsx';
import { Amount, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ACCOUNTS, AccountState } from './account.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountFields, fieldNames, settingsOf } from './account-settings.tsx';
import { useOperatorTexts } from './texts.ts';

const ROWS = 50;

/** Every account of the service. */
export default function Accounts() {
  const { accounts: t } = useOperatorTexts();
  const { common } = useTexts();
  const [search, setSearch] = useState('');
  const { open } = useDialogs();
  const pages = useList(ACCOUNTS, ({ accounts }) => accounts, { query: { limit: ROWS, search } });
  const add = (
    <Action icon={Plus} onClick={() => open(t.add, <AddForm />)}>
      {t.add}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={add}>
      <SearchField label={t.search} onSearch={setSearch} w={{ base: '100%', xs: 340 }} />
      <DataTable
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            title: t.name,
            cell: (row) => (
              <Named href={`/operator/accounts/${row.id}`} name={<bdi>{row.name}</bdi>}>
                <bdi dir="ltr">{row.username}</bdi>
                {row.parent !== null && (
                  <>
                    {' · '}
                    {t.parent} <bdi dir="ltr">{row.parent}</bdi>
                  </>
                )}
              </Named>
            ),
          },
          { title: t.state, cell: (row) => <AccountState account={row} />, wideOnly: true },
          { title: t.since, cell: (row) => <Time at={row.created_at} to="date" />, wideOnly: true },
          { title: common.inCredits(t.balance), align: 'end', cell: (row) => <Amount value={row.balance} /> },
          {
            key: 'actions',
            title: '',
            align: 'end',
            width: 56,
            cell: (row) => <AccountActions account={row} />,
          },
        ]}
        empty={
          <Empty
            filters={{ any: search !== '' }}
            icon={Building2}
            title={t.none}
            action={add}
            hint={t.noneHint}
          />
        }
      />
    </Page>
  );
}

function AddForm() {
  const { accounts: t } = useOperatorTexts();
  const done = useDone();
  const [, navigate] = useLocation();
  const form = useForm({
    initialValues: { username: '', name: '', time_zone: '', addresses: '', password_sign_in: false },
  });
  const submission = useSubmission(
    form,
    async ({ username, ...settings }) => {
      const data = await client.POST('/v1/operator/accounts', {
        body: { username, ...settingsOf(settings) },
      });
      await done(t.added(data.name), ACCOUNTS);
      navigate(`/operator/accounts/${data.id}`);
    },
    fieldNames,
  );
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.addSubmit}>
      {field.text('username', t.username, {
        hint: t.usernameHint,
        required: true,
        focus: true,
        autoComplete: 'off',
      })}
      <AccountFields form={form} />
    </Form>
  );
}
