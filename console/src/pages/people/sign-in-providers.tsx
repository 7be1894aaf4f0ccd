import { Stack, Switch, Text } from '@mantine/core';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useAnswer } from '../../api/queries.ts';
import { sessionKey } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Empty, Fetched } from '../../components/states.tsx';
import { Named } from '../../components/text.tsx';
import { StatusBadge } from '../../components/values.tsx';
import { ProviderForm } from './provider-form.tsx';
import { useProviderTexts } from './provider-texts.ts';
import { type Provider, removeProvider } from './providers.ts';
import type { Rules, Team } from './team.ts';

/** The sign-in providers of a team, and for accounts whether they are the only way in. */
export function SignInProviders({ team }: { readonly team: Team }) {
  const t = useProviderTexts();
  const { open, ask } = useDialogs();
  const done = useDone();
  const query = useAnswer(team.providers);
  const add = (
    <Action icon={Plus} onClick={() => open(t.addTitle, <ProviderForm team={team} />)}>
      {t.add}
    </Action>
  );
  const remove = ({ id, name }: Provider) =>
    ask({
      title: t.removeTitle(name),
      text: t.removeText,
      action: t.remove,
      keep: t.keep,
      run: async () => {
        await removeProvider(team, id);
        await done(t.removed, team.providers, team.people);
      },
    });
  return (
    <Card id="single-sign-on" title={t.title} lead={team.operators ? t.operatorsLead : t.lead} actions={add}>
      <Fetched query={query}>
        {({ providers }) =>
          providers.length === 0 ? (
            <Empty title={t.none} />
          ) : (
            <RowsTable<Provider>
              caption={t.title}
              verticalSpacing="sm"
              rows={providers}
              rowKey={({ id }) => id}
              columns={[
                {
                  title: t.name,
                  cell: ({ name, issuer, last_failure: failure }) => (
                    <Named name={<bdi>{name}</bdi>}>
                      <bdi dir="ltr">{issuer}</bdi>
                      {failure !== null && (
                        <Text size="xs" c="red">
                          {t.failure(failure)}
                        </Text>
                      )}
                    </Named>
                  ),
                },
                { title: t.people, cell: ({ people }) => people },
                {
                  title: t.state,
                  cell: ({ enabled }) => (
                    <StatusBadge tone={enabled ? 'good' : 'neutral'}>{enabled ? t.on : t.off}</StatusBadge>
                  ),
                },
                {
                  title: t.edit,
                  hiddenTitle: true,
                  align: 'end',
                  cell: (row) => (
                    <ActionMenu
                      label={t.actions(row.name)}
                      entries={[
                        {
                          icon: Pencil,
                          label: t.edit,
                          onClick: () =>
                            open(t.editTitle(row.name), <ProviderForm team={team} provider={row} />),
                        },
                        { icon: Trash2, label: t.remove, danger: true, onClick: () => remove(row) },
                      ]}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Fetched>
      {team.operators ? <DemandOfAccounts team={team} /> : <OnlyProviders team={team} />}
    </Card>
  );
}

/** Whether the people of an account sign in by a provider alone. */
function OnlyProviders({ team }: { readonly team: Team }) {
  const t = useProviderTexts();
  const { has_provider: own, role } = useSession();
  const { ask } = useDialogs();
  const done = useDone();
  const query = useAnswer(team.rules);
  const change = (on: boolean) =>
    ask({
      title: on ? t.onlyLift : t.onlyAsk,
      text: on ? t.onlyLiftText : t.onlyText,
      action: on ? t.lift : t.require,
      run: async () => {
        await team.changeRules({ provider_only: !on });
        await done(on ? t.onlyLifted : t.onlySet, team.rules, sessionKey);
      },
    });
  return (
    <Fetched query={query}>
      {(rules: Rules) => {
        const on = 'provider_only' in rules && rules.provider_only;
        const may = on || own || role === 'operator';
        return (
          <Stack gap={4}>
            <Switch
              label={t.onlySwitch}
              description={may ? t.onlyHint : t.onlyOwn}
              checked={on}
              disabled={!may}
              onChange={() => change(on)}
            />
          </Stack>
        );
      }}
    </Fetched>
  );
}

/** Whether the operator demands a second factor of the people of every account. */
function DemandOfAccounts({ team }: { readonly team: Team }) {
  const t = useProviderTexts();
  const { second_factor: own } = useSession();
  const attempt = useAttempt();
  const done = useDone();
  const query = useAnswer(team.rules);
  return (
    <Fetched query={query}>
      {(rules: Rules) => {
        const on = 'second_factor_of_accounts' in rules && rules.second_factor_of_accounts;
        return (
          <Switch
            label={t.demandSwitch}
            description={t.demandHint}
            checked={on}
            disabled={!on && !own}
            onChange={() =>
              void attempt(async () => {
                await team.changeRules({ second_factor_of_accounts: !on });
                await done(t.demandSaved, team.rules);
              })
            }
          />
        );
      }}
    </Fetched>
  );
}
