import { Send } from 'lucide-react';
import { useParams } from 'wouter';
import { byId } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Section } from '../../components/text.tsx';
import { RuleForm } from './alert-rule-form.tsx';
import { type AlertScope, useAlertScope, useKinds, useRule } from './alert-scope.ts';
import { Notifications } from './notifications.tsx';
import { useAlertTexts } from './texts.ts';

const TESTS_MS = 3_000;

/** An alert rule with the results of its test alerts, or a form for a new rule. */
export default function AlertRulePage() {
  const { id } = useParams<{ id?: string }>();
  const scope = useAlertScope();
  return id === undefined ? <NewRule scope={scope} /> : <OneRule scope={scope} id={id} />;
}

function NewRule({ scope }: { readonly scope: AlertScope }) {
  const t = useAlertTexts();
  const kinds = useKinds(scope);
  return (
    <Page title={t.newTitle} back={scope.home}>
      <Fetched query={kinds}>{(known) => <RuleForm scope={scope} kinds={known} />}</Fetched>
    </Page>
  );
}

function OneRule({ scope, id }: { readonly scope: AlertScope; readonly id: string }) {
  const t = useAlertTexts();
  const query = useRule(scope, id);
  const kinds = useKinds(scope);
  return (
    <Page title={query.data?.name ?? t.rule} back={scope.home}>
      <Fetched query={query}>
        {(rule) => (
          <Fetched query={kinds}>
            {(known) => <RuleForm key={id} scope={scope} kinds={known} rule={rule} />}
          </Fetched>
        )}
      </Fetched>
      <Tests scope={scope} id={id} />
    </Page>
  );
}

function Tests({ scope, id }: { readonly scope: AlertScope; readonly id: string }) {
  const t = useAlertTexts();
  const attempt = useAttempt();
  const done = useDone();
  const query = useAnswer(scope.tests as '/v1/alert-rules/{id}/tests', byId(id), {
    refetchInterval: TESTS_MS,
  });
  const test = () =>
    void attempt(async () => {
      await scope.test(id);
      await done(t.testing, scope.tests);
    });
  const button = (
    <Action icon={Send} variant="default" onClick={test}>
      {t.test}
    </Action>
  );
  return (
    <Section title={t.tests} hint={t.testsHint} actions={button}>
      <Fetched query={query}>{({ tests }) => <Notifications rows={tests} empty={t.testsNone} />}</Fetched>
    </Section>
  );
}
