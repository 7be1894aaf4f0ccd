import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { KeyRound, Pencil, Trash2 } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { sessionKey } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialog, useDialogs } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Empty, Fetched } from '../../components/states.tsx';
import { Muted, Named } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import { AddPasskey } from '../../features/credentials/add-passkey.tsx';
import { usePasskeyTexts } from '../../features/credentials/passkey-texts.ts';
import { mayUsePasskeys } from '../../features/credentials/passkeys.ts';
import { Ask, RecoveryCodes } from '../../features/credentials/second-factor-steps.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

type Passkey = Answer<'/v1/session/passkeys'>['passkeys'][number];

const PASSKEYS = '/v1/session/passkeys';

/** The own passkeys: added, renamed and removed. */
export function Passkeys() {
  const t = usePasskeyTexts();
  const { open } = useDialogs();
  const query = useAnswer(PASSKEYS);
  const add = mayUsePasskeys() && (
    <Action icon={KeyRound} onClick={() => open(t.addTitle, <Add />)}>
      {t.add}
    </Action>
  );
  return (
    <Card id="passkeys" title={t.title} lead={mayUsePasskeys() ? t.hint : t.onlyByName} actions={add}>
      <Fetched query={query}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <Empty title={t.none} />
          ) : (
            <RowsTable
              caption={t.title}
              verticalSpacing="sm"
              rows={passkeys}
              rowKey={({ id }) => id}
              columns={[
                {
                  title: t.name,
                  cell: ({ name, synced }) => <Named name={<bdi>{name}</bdi>}>{synced && t.synced}</Named>,
                },
                { title: t.since, cell: ({ created_at }) => <Time at={created_at} to="date" /> },
                {
                  title: t.used,
                  cell: ({ used_at }) => (used_at === null ? <Muted>–</Muted> : <Time at={used_at} />),
                },
                {
                  title: t.remove,
                  hiddenTitle: true,
                  align: 'end',
                  cell: (row) => (
                    <ActionMenu
                      label={t.actions(row.name)}
                      entries={[
                        {
                          icon: Pencil,
                          label: t.rename,
                          onClick: () => open(t.renameTitle(row.name), <Rename passkey={row} />),
                        },
                        {
                          icon: Trash2,
                          label: t.remove,
                          danger: true,
                          onClick: () => open(t.removeTitle(row.name), <Remove passkey={row} />),
                        },
                      ]}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Fetched>
    </Card>
  );
}

function Add() {
  const t = usePasskeyTexts();
  const { account } = useTexts();
  const { has_password: hasPassword } = useSession();
  const dialog = useDialog()!;
  const done = useDone();
  async function added(codes: readonly string[]) {
    await done(t.added, PASSKEYS, sessionKey);
    if (codes.length === 0) return true;
    return dialog.show(account.recoveryTitle, <RecoveryCodes codes={codes} />);
  }
  return <AddPasskey hasPassword={hasPassword} onAdded={added} />;
}

function Rename({ passkey }: { readonly passkey: Passkey }) {
  const t = usePasskeyTexts();
  const { common } = useTexts();
  const done = useDone();
  const form = useForm({ initialValues: { name: passkey.name } });
  const submission = useSubmission(form, async ({ name }) => {
    await client.PATCH('/v1/session/passkeys/{id}', { ...byId(passkey.id), body: { name } });
    await done(t.renamed, PASSKEYS);
  });
  return (
    <Form submission={submission} action={common.save}>
      {fieldsOf(form).text('name', t.name, { written: true, required: true, focus: true })}
    </Form>
  );
}

function Remove({ passkey }: { readonly passkey: Passkey }) {
  const t = usePasskeyTexts();
  const { has_password: hasPassword } = useSession();
  const done = useDone();
  const refresh = useRefresh();
  return (
    <>
      <Text size="sm">{t.removeText}</Text>
      <Ask
        fields={hasPassword ? ['password'] : []}
        action={t.remove}
        keep={t.keep}
        submit={async ({ password }) => {
          const body = hasPassword ? { password } : {};
          await client.POST('/v1/session/passkeys/{id}/remove', { ...byId(passkey.id), body });
          await done(t.removed, PASSKEYS);
          await refresh(sessionKey);
        }}
      />
    </>
  );
}
