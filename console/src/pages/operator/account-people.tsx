import { useForm } from '@mantine/form';
import { UserPlus } from 'lucide-react';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialog, useDialogs } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Named } from '../../components/text.tsx';
import { StatusBadge } from '../../components/values.tsx';
import { useShowLink } from '../../features/invitations/show-link.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { Account } from './account.tsx';
import { useOperatorTexts } from './texts.ts';

const PEOPLE = '/v1/people';
type Person = Answer<typeof PEOPLE>['people'][number];

/** People of an account, whose owner the operator invites. */
export function AccountPeople({ account }: { readonly account: Account }) {
  const { accounts: t } = useOperatorTexts();
  const { shell } = useTexts();
  const { open } = useDialogs();
  const query = useAnswer(PEOPLE, { query: { username: account.username } });
  const invite = (
    <Action
      icon={UserPlus}
      onClick={() => open(t.inviteTitle(account.name), <InviteOwner account={account} />)}
    >
      {t.invite}
    </Action>
  );
  return (
    <Card title={t.people} {...(query.data && query.data.people.length > 0 && { actions: invite })}>
      <Fetched query={query}>
        {({ people }) =>
          people.length === 0 ? (
            <Empty icon={UserPlus} title={t.noPeople} hint={t.noPeopleHint} action={invite} />
          ) : (
            <RowsTable
              caption={t.people}
              minWidth={320}
              rows={people}
              rowKey={({ id }) => id}
              columns={[
                {
                  title: t.name,
                  cell: (row) => (
                    <Named name={<bdi>{row.name}</bdi>}>
                      <bdi dir="ltr">{row.username}</bdi>
                    </Named>
                  ),
                },
                { title: t.role, cell: (row) => shell.roles[row.role] },
                { title: t.state, cell: (row) => <PersonState person={row} />, wideOnly: true },
              ]}
            />
          )
        }
      </Fetched>
    </Card>
  );
}

function PersonState({ person }: { readonly person: Person }) {
  const { accounts: t } = useOperatorTexts();
  if (person.suspended) return <StatusBadge tone="bad">{t.personDisabled}</StatusBadge>;
  if (!person.has_password && !person.has_provider)
    return <StatusBadge tone="warning">{t.personInvited}</StatusBadge>;
  return <StatusBadge tone="good">{t.active}</StatusBadge>;
}

function InviteOwner({ account }: { readonly account: Account }) {
  const { accounts: t } = useOperatorTexts();
  const refresh = useRefresh();
  const dialog = useDialog()!;
  const showLink = useShowLink();
  const form = useForm({ initialValues: { name: '', username: '' } });
  const submission = useSubmission(form, async (values) => {
    const { person, link } = await client.POST(PEOPLE, {
      query: { username: account.username },
      body: { ...values, role: 'owner' },
    });
    await refresh(PEOPLE);
    return showLink(dialog, person.name, link);
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.inviteSubmit}>
      {field.text('name', t.name, { written: true, required: true, focus: true })}
      {field.text('username', t.username, { hint: t.inviteHint, required: true, autoComplete: 'off' })}
    </Form>
  );
}
