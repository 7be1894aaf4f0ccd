import { Stack, Switch, Text } from '@mantine/core';
import { useAnswer } from '../../api/queries.ts';
import { sessionKey } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Fetched } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useProviderTexts } from './provider-texts.ts';
import type { Rules, Team } from './team.ts';
import { usePeopleTexts } from './texts.ts';

/** Requires a second factor from everybody in a team, and lists the people without one. */
export function SecondFactorRule({ team }: { readonly team: Team }) {
  const t = usePeopleTexts();
  const query = useAnswer(team.rules);
  return (
    <Card title={t.rule} lead={t.ruleHint}>
      <Fetched query={query}>{(rules) => <RuleSwitch team={team} rules={rules} />}</Fetched>
    </Card>
  );
}

function RuleSwitch({ team, rules }: { readonly team: Team; readonly rules: Rules }) {
  const t = usePeopleTexts();
  const { common } = useTexts();
  const p = useProviderTexts();
  const { second_factor: own, role } = useSession();
  const attempt = useAttempt();
  const done = useDone();
  const { ask } = useDialogs();
  const { second_factor_required: on, without_second_factor: without } = rules;
  const byOperator = 'by_operator' in rules && rules.by_operator;
  const mayChange = on || own;
  const change = () =>
    ask({
      title: on ? t.liftTitle : t.requireTitle,
      text: on ? t.liftText : t.requireText(without),
      action: on ? t.lift : t.require,
      keep: on ? common.keeps.rule : undefined,
      run: async () => {
        await team.changeRules({ second_factor_required: !on });
        await done(on ? t.ruleLifted : t.ruleSet, team.rules, sessionKey);
      },
    });
  return (
    <Stack gap="xs">
      <Switch
        label={t.ruleSwitch}
        checked={on}
        disabled={!mayChange}
        onChange={change}
        description={`${byOperator ? `${p.byOperator} ` : ''}${without === 0 ? t.allHaveIt : t.withoutIt(without)}`}
      />
      {role === 'operator' && 'second_factor_demanded' in rules && (
        <Switch
          label={p.demandOne}
          description={p.demandHint}
          checked={rules.second_factor_demanded}
          disabled={!rules.second_factor_demanded && !own}
          onChange={() =>
            void attempt(async () => {
              await team.changeRules({ second_factor_demanded: !rules.second_factor_demanded });
              await done(p.demandSaved, team.rules);
            })
          }
        />
      )}
      {!mayChange && (
        <Text size="sm">
          {t.ownFirst}{' '}
          <TextLink href="/settings" underline="always" inherit>
            {t.ownFirstLink}
          </TextLink>
        </Text>
      )}
    </Stack>
  );
}
