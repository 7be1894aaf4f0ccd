import { KeyRound, Pencil, ShieldOff, UserCheck, UserPlus, UserX } from 'lucide-react';
import { useList } from '../../api/paging.ts';
import { useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Named } from '../../components/text.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useShowLink } from '../../features/invitations/show-link.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { AddPerson, EditPerson } from './forms.tsx';
import { SecondFactorRule } from './second-factor-rule.tsx';
import { SignInProviders } from './sign-in-providers.tsx';
import { type Person, type Team, useTeam } from './team.ts';
import { usePeopleTexts } from './texts.ts';

/** The people of a team: added, changed, disabled, and given new passwords. */
export default function TeamPage() {
  const team = useTeam();
  const t = usePeopleTexts();
  const { shell } = useTexts();
  const { person: self } = useSession();
  const { open } = useDialogs();
  const addTitle = team.operators ? t.addOperator : t.add;
  const pages = useList(team.people, ({ people }) => people);
  const add = (
    <Action icon={UserPlus} onClick={() => open(addTitle, <AddPerson team={team} />)}>
      {addTitle}
    </Action>
  );
  return (
    <Page lead={team.operators ? t.operatorsLead : t.lead} actions={add}>
      <DataTable
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            title: t.name,
            cell: (row) => (
              <Named
                name={
                  <>
                    <bdi>{row.name}</bdi>{' '}
                    {row.id === self.id && <StatusBadge tone="neutral">{t.you}</StatusBadge>}
                  </>
                }
              >
                <bdi dir="ltr">{row.username}</bdi>
              </Named>
            ),
          },
          { title: t.role, cell: (row) => shell.roles[row.role] },
          { title: t.state, cell: (row) => <PersonState person={row} />, wideOnly: true },
          {
            title: t.secondFactor,
            cell: (row) => (
              <StatusBadge tone={row.second_factor ? 'good' : 'neutral'}>
                {row.second_factor ? t.on : t.off}
              </StatusBadge>
            ),
            wideOnly: true,
          },
          { title: t.since, cell: (row) => <Time at={row.created_at} to="date" />, wideOnly: true },
          {
            key: 'actions',
            title: '',
            align: 'end',
            width: 56,
            cell: (row) => <Actions team={team} person={row} />,
          },
        ]}
        empty={<Empty title={t.none} action={add} hint={t.noneHint} />}
      />
      <SecondFactorRule team={team} />
      <SignInProviders team={team} />
    </Page>
  );
}

function PersonState({ person }: { readonly person: Person }) {
  const t = usePeopleTexts();
  if (person.suspended) return <StatusBadge tone="bad">{t.suspended}</StatusBadge>;
  if (!person.has_password && !person.has_provider)
    return <StatusBadge tone="warning">{t.invited}</StatusBadge>;
  return <StatusBadge tone="good">{t.active}</StatusBadge>;
}

function Actions({ team, person }: { readonly team: Team; readonly person: Person }) {
  const t = usePeopleTexts();
  const { common } = useTexts();
  const done = useDone();
  const attempt = useAttempt();
  const { open, ask } = useDialogs();
  const showLink = useShowLink();
  const { id, name } = person;
  const reset = (factorToo: boolean) =>
    ask({
      title: t.resetTitle(name),
      text: factorToo ? t.resetFactorText : t.resetText,
      action: t.resetSubmit,
      run: async (dialog) => showLink(dialog, name, await team.reset(id, factorToo)),
    });
  const disable = () =>
    ask({
      title: t.disableTitle(name),
      text: t.disableText,
      action: t.disable,
      keep: common.keeps.active,
      run: async () => {
        await team.change(id, { suspended: true });
        await done(t.disabled(name), team.people);
      },
    });
  async function enable() {
    await attempt(async () => {
      await team.change(id, { suspended: false });
      await done(t.enabled(name), team.people);
    });
  }
  return (
    <ActionMenu
      label={t.actions(name)}
      entries={[
        {
          icon: Pencil,
          label: t.edit,
          onClick: () => open(t.editTitle(name), <EditPerson team={team} person={person} />),
        },
        { icon: KeyRound, label: t.resetPassword, onClick: () => reset(false) },
        person.second_factor && { icon: ShieldOff, label: t.resetFactor, onClick: () => reset(true) },
        'divider',
        person.suspended
          ? { icon: UserCheck, label: t.enable, onClick: () => void enable() }
          : { icon: UserX, label: t.disable, danger: true, onClick: disable },
      ]}
    />
  );
}
