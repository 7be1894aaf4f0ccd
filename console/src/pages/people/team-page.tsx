import { ActionIcon, Alert, Button, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, KeyRound, Pencil, ShieldOff, UserCheck, UserPlus, UserX } from 'lucide-react';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, errorText } from '../../components/states.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { AddPerson, EditPerson } from './forms.tsx';
import { SecondFactorRule } from './second-factor-rule.tsx';
import type { Person, PersonLink, Team } from './team.ts';

type Dialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'disable' | 'reset' | 'reset-factor'; readonly person: Person };

/** The people of a team: added, changed, disabled, and given new passwords. */
export function TeamPage({ team }: { readonly team: Team }) {
  const { people: t, shell, common } = useTexts();
  const { person: self } = useSession();
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<Dialog>();
  const [made, setMade] = useState<{ readonly name: string; readonly link: PersonLink }>();
  const close = () => setDialog(undefined);
  const refresh = () => queryClient.invalidateQueries({ queryKey: team.key });
  const pages = usePages(team.key, async () => ({ rows: await team.list(), next: null }));
  const person = dialog && 'person' in dialog ? dialog.person : undefined;
  const add = (
    <Button leftSection={<UserPlus size={17} />} onClick={() => setDialog({ kind: 'add' })}>
      {team.operators ? t.addOperator : t.add}
    </Button>
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
            key: 'name',
            title: t.name,
            cell: (row) => (
              <>
                <Text size="sm" fw={600}>
                  <bdi>{row.name}</bdi>{' '}
                  {row.id === self.id && <StatusBadge tone="neutral">{t.you}</StatusBadge>}
                </Text>
                <Text size="xs" c="dimmed">
                  <bdi dir="ltr">{row.username}</bdi>
                </Text>
              </>
            ),
          },
          { key: 'role', title: t.role, cell: (row) => shell.roles[row.role] },
          { key: 'state', title: t.state, cell: (row) => <PersonState person={row} />, wideOnly: true },
          {
            key: 'factor',
            title: t.secondFactor,
            cell: (row) => (
              <StatusBadge tone={row.second_factor ? 'good' : 'neutral'}>
                {row.second_factor ? t.on : t.off}
              </StatusBadge>
            ),
            wideOnly: true,
          },
          {
            key: 'since',
            title: t.since,
            cell: (row) => <Time at={row.created_at} to="date" />,
            wideOnly: true,
          },
          {
            key: 'actions',
            title: '',
            align: 'end',
            width: 56,
            cell: (row) => <Actions team={team} person={row} onChoose={setDialog} onChanged={refresh} />,
          },
        ]}
        empty={
          <Empty title={t.none} action={add}>
            {t.noneHint}
          </Empty>
        }
      />
      <SecondFactorRule team={team} />
      <Modal
        opened={dialog?.kind === 'add' || dialog?.kind === 'edit'}
        onClose={close}
        title={person ? t.editTitle(person.name) : team.operators ? t.addOperator : t.add}
        centered
        closeButtonProps={{ 'aria-label': common.close }}
      >
        {dialog?.kind === 'add' && (
          <AddPerson
            team={team}
            onAdded={async (name, link) => {
              close();
              setMade({ name, link });
              await refresh();
            }}
          />
        )}
        {dialog?.kind === 'edit' && (
          <EditPerson
            team={team}
            person={dialog.person}
            onDone={async () => {
              close();
              await refresh();
            }}
          />
        )}
      </Modal>
      <Modal
        opened={made !== undefined}
        onClose={() => setMade(undefined)}
        title={made && t.linkTitle(made.name)}
        size="lg"
        centered
        // A stray click would lose what is shown once.
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        {made && <ShowLink link={made.link} onClose={() => setMade(undefined)} />}
      </Modal>
      <Confirm
        opened={dialog?.kind === 'disable'}
        onClose={close}
        title={person ? t.disableTitle(person.name) : ''}
        action={t.disable}
        danger
        onConfirm={async () => {
          await team.change(person!.id, { suspended: true });
          notifications.show({ message: t.disabled(person!.name) });
          await refresh();
        }}
      >
        {t.disableText}
      </Confirm>
      <Confirm
        opened={dialog?.kind === 'reset' || dialog?.kind === 'reset-factor'}
        onClose={close}
        title={person ? t.resetTitle(person.name) : ''}
        action={t.resetSubmit}
        onConfirm={async () => {
          const link = await team.reset(person!.id, dialog!.kind === 'reset-factor');
          setMade({ name: person!.name, link });
        }}
      >
        {dialog?.kind === 'reset-factor' ? t.resetFactorText : t.resetText}
      </Confirm>
    </Page>
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
  onChanged,
}: {
  readonly team: Team;
  readonly person: Person;
  readonly onChoose: (dialog: Dialog) => void;
  readonly onChanged: () => Promise<unknown>;
}) {
  const texts = useTexts();
  const { people: t } = texts;
  async function enable() {
    try {
      await team.change(person.id, { suspended: false });
      notifications.show({ message: t.enabled(person.name), color: 'teal' });
    } catch (error) {
      notifications.show({ message: errorText(error, texts), color: 'red' });
    }
    await onChanged();
  }
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t.actions(person.name)}>
          <EllipsisVertical size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Pencil size={16} />} onClick={() => onChoose({ kind: 'edit', person })}>
          {t.edit}
        </Menu.Item>
        <Menu.Item leftSection={<KeyRound size={16} />} onClick={() => onChoose({ kind: 'reset', person })}>
          {t.resetPassword}
        </Menu.Item>
        {person.second_factor && (
          <Menu.Item
            leftSection={<ShieldOff size={16} />}
            onClick={() => onChoose({ kind: 'reset-factor', person })}
          >
            {t.resetFactor}
          </Menu.Item>
        )}
        <Menu.Divider />
        {person.suspended ? (
          <Menu.Item leftSection={<UserCheck size={16} />} onClick={() => void enable()}>
            {t.enable}
          </Menu.Item>
        ) : (
          <Menu.Item
            color="red"
            leftSection={<UserX size={16} />}
            onClick={() => onChoose({ kind: 'disable', person })}
          >
            {t.disable}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function ShowLink({ link, onClose }: { readonly link: PersonLink; readonly onClose: () => void }) {
  const { people: t } = useTexts();
  return (
    <Stack>
      <Alert color="orange">{t.linkText}</Alert>
      <CodeBlock code={`${location.origin}/password#${link.token}`} label={t.link} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t.linkUntil} <Time at={link.expires_at} />
        </Text>
        <Button onClick={onClose}>{t.linkKept}</Button>
      </Group>
    </Stack>
  );
}
