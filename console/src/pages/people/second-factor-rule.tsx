import { Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { sessionKey } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { useDone } from '../../components/notify.ts';
import { Fetched } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import type { Rules, Team } from './team.ts';

/** Requires a second factor of everybody of a team, and says who has none. */
export function SecondFactorRule({ team }: { readonly team: Team }) {
  const { people: t } = useTexts();
  const query = api.useQuery('get', team.rules);
  return (
    <Card title={t.rule} lead={t.ruleHint}>
      <Fetched query={query}>{(rules) => <RuleSwitch team={team} rules={rules} />}</Fetched>
    </Card>
  );
}

function RuleSwitch({ team, rules }: { readonly team: Team; readonly rules: Rules }) {
  const { people: t } = useTexts();
  const { second_factor: own } = useSession();
  const done = useDone();
  const [asking, setAsking] = useState(false);
  const { second_factor_required: on, without_second_factor: without } = rules;
  const mayChange = on || own;
  async function change() {
    await team.changeRules({ second_factor_required: !on });
    await done(on ? t.ruleLifted : t.ruleSet, team.rules, sessionKey);
  }
  return (
    <Stack gap="xs">
      <Switch
        label={t.ruleSwitch}
        checked={on}
        disabled={!mayChange}
        onChange={() => setAsking(true)}
        description={without === 0 ? t.allHaveIt : t.withoutIt(without)}
      />
      {!mayChange && (
        <Text size="sm">
          {t.ownFirst}{' '}
          <TextLink href="/settings" underline="always" inherit>
            {t.ownFirstLink}
          </TextLink>
        </Text>
      )}
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={on ? t.liftTitle : t.requireTitle}
        action={on ? t.lift : t.require}
        danger={on}
        onConfirm={change}
      >
        {on ? t.liftText : t.requireText(without)}
      </Confirm>
    </Stack>
  );
}
