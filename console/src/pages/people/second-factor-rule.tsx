import { Anchor, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { sessionKey } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Fetched } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import type { Rules, Team } from './team.ts';

/** Requires a second factor of everybody of a team, and says who has none. */
export function SecondFactorRule({ team }: { readonly team: Team }) {
  const { people: t } = useTexts();
  const query = useQuery({ queryKey: team.rulesKey, queryFn: team.rules });
  return (
    <Card title={t.rule} lead={t.ruleHint}>
      <Fetched query={query}>{(rules) => <RuleSwitch team={team} rules={rules} />}</Fetched>
    </Card>
  );
}

function RuleSwitch({ team, rules }: { readonly team: Team; readonly rules: Rules }) {
  const { people: t } = useTexts();
  const { second_factor: own } = useSession();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { second_factor_required: on, without_second_factor: without } = rules;
  const mayChange = on || own;
  async function change() {
    await team.changeRules({ second_factor_required: !on });
    notifications.show({ message: on ? t.ruleLifted : t.ruleSet, ...(!on && { color: 'teal' }) });
    await queryClient.invalidateQueries({ queryKey: team.rulesKey });
    await queryClient.invalidateQueries({ queryKey: sessionKey });
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
          <Anchor component={Link} href="/settings" underline="always" inherit>
            {t.ownFirstLink}
          </Anchor>
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
