import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { KeyRound, Pencil, ShieldOff, UserCheck, UserPlus, UserX } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/pages.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, Named } from '../../components/text.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { AddPerson, EditPerson } from './forms.tsx';
import { SecondFactorRule } from './second-factor-rule.tsx';
import { type Person, type PersonLink, type Team, useTeam } from './team.ts';

type Dialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'disable' | 'reset' | 'reset-factor'; readonly person: Person };

/** The people of a team: added, changed, disabled, and given new passwords. */
export default function TeamPage() {
  const team = useTeam();
  const { people: t, shell } = useTexts();
  const { person: self } = useSession();
  const [dialog, setDialog] = useState<Dialog>();
  const pages = useList(team.people, ({ people }) => people);
  const add = (
    <Action icon={UserPlus} onClick={() => setDialog({ kind: 'add' })}>
      {team.operators ? t.addOperator : t.add}
    </Action>
  );
  return (
    <Page
      title={team.operators ? t.operatorsTitle : t.title}
      lead={team.operators ? t.operatorsLead : t.lead}
      actions={add}
    >
      <DataTable
        caption={team.operators ? t.operatorsTitle : t.title}
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
            cell: (row) => <Actions team={team} person={row} onChoose={setDialog} />,
          },
        ]}
        empty={<Empty title={t.none} action={add} hint={t.noneHint} />}
      />
      <SecondFactorRule team={team} />
      <Dialogs team={team} dialog={dialog} onClose={() => setDialog(undefined)} />
    </Page>
  );
}

function Dialogs({
  team,
  dialog,
  onClose,
}: {
  readonly team: Team;
  readonly dialog: Dialog | undefined;
  readonly onClose: () => void;
}) {
  const { people: t } = useTexts();
  const done = useDone();
  const refresh = useRefresh();
  const [made, setMade] = useState<{ readonly name: string; readonly link: PersonLink }>();
  const person = dialog && 'person' in dialog ? dialog.person : undefined;
  async function saved(invited?: { readonly name: string; readonly link: PersonLink }) {
    onClose();
    if (invited) setMade(invited);
    await refresh(team.people);
  }
  return (
    <>
      <Modal
        opened={dialog?.kind === 'add' || dialog?.kind === 'edit'}
        onClose={onClose}
        title={person ? t.editTitle(person.name) : team.operators ? t.addOperator : t.add}
      >
        {dialog?.kind === 'add' && <AddPerson team={team} onAdded={(name, link) => saved({ name, link })} />}
        {dialog?.kind === 'edit' && <EditPerson team={team} person={dialog.person} onDone={saved} />}
      </Modal>
      <Modal
        opened={made !== undefined}
        onClose={() => setMade(undefined)}
        title={made && t.linkTitle(made.name)}
        size="lg"
        // A stray click would lose what is shown once.
        closeOnClickOutside={false}
      >
        {made && <ShowLink link={made.link} onClose={() => setMade(undefined)} />}
      </Modal>
      <Confirm
        opened={dialog?.kind === 'disable'}
        onClose={onClose}
        title={person ? t.disableTitle(person.name) : ''}
        action={t.disable}
        danger
        onConfirm={async () => {
          await team.change(person!.id, { suspended: true });
          await done(t.disabled(person!.name), team.people);
        }}
      >
        {t.disableText}
      </Confirm>
      <Confirm
        opened={dialog?.kind === 'reset' || dialog?.kind === 'reset-factor'}
        onClose={onClose}
        title={person ? t.resetTitle(person.name) : ''}
        action={t.resetSubmit}
        onConfirm={async () => {
          const link = await team.reset(person!.id, dialog!.kind === 'reset-factor');
          setMade({ name: person!.name, link });
        }}
      >
        {dialog?.kind === 'reset-factor' ? t.resetFactorText : t.resetText}
      </Confirm>
    </>
  );
}

function PersonState({ person }: { readonly person: Person }) {
  const { people: t } = useTexts();
  if (person.suspended) return <StatusBadge tone="bad">{t.suspended}</StatusBadge>;
  if (!person.has_password) return <StatusBadge tone="warning">{t.invited}</StatusBadge>;
  return <StatusBadge tone="good">{t.active}</StatusBadge>;
}

function Actions({
  team,
  person,
  onChoose,
}: {
  readonly team: Team;
  readonly person: Person;
  readonly onChoose: (dialog: Dialog) => void;
}) {
  const { people: t } = useTexts();
  const done = useDone();
  const attempt = useAttempt();
  async function enable() {
    await attempt(async () => {
      await team.change(person.id, { suspended: false });
      await done(t.enabled(person.name), team.people);
    });
  }
  return (
    <ActionMenu
      label={t.actions(person.name)}
      entries={[
        { icon: Pencil, label: t.edit, onClick: () => onChoose({ kind: 'edit', person }) },
        { icon: KeyRound, label: t.resetPassword, onClick: () => onChoose({ kind: 'reset', person }) },
        person.second_factor && {
          icon: ShieldOff,
          label: t.resetFactor,
          onClick: () => onChoose({ kind: 'reset-factor', person }),
        },
        'divider',
        person.suspended
          ? { icon: UserCheck, label: t.enable, onClick: () => void enable() }
          : {
              icon: UserX,
              label: t.disable,
              danger: true,
              onClick: () => onChoose({ kind: 'disable', person }),
            },
      ]}
    />
  );
}

function ShowLink({ link, onClose }: { readonly link: PersonLink; readonly onClose: () => void }) {
  const { people: t } = useTexts();
  return (
    <Stack>
      <Alert color="orange">{t.linkText}</Alert>
      <CodeBlock code={`${location.origin}/password#${link.token}`} label={t.link} />
      <Group justify="space-between">
        <Muted>
          {t.linkUntil} <Time at={link.expires_at} />
        </Muted>
        <Button onClick={onClose}>{t.linkKept}</Button>
      </Group>
    </Stack>
  );
}
