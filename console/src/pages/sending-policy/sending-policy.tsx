import { Stack } from '@mantine/core';
import { useAnswer } from '../../api/queries.ts';
import { Page } from '../../components/page.tsx';
import { SaveGroup } from '../../components/save-group.tsx';
import { Fetched } from '../../components/states.tsx';
import { Caps } from './caps.tsx';
import { CheckRecipient } from './check.tsx';
import { Consent } from './consent-rule.tsx';
import { POLICY, usePolicyTexts } from './policy.ts';
import { Scope } from './policy-scope.tsx';
import { QuietHours } from './quiet-hours.tsx';
import { Rest } from './rest.tsx';

/** When and how often the account sends. */
export default function SendingPolicy() {
  const t = usePolicyTexts();
  const query = useAnswer(POLICY);
  return (
    <Page lead={t.lead}>
      <Fetched query={query}>
        {(policy) => (
          <Stack gap="lg" maw={820}>
            <SaveGroup>
              <QuietHours policy={policy} />
              <Rest policy={policy} />
              <Caps policy={policy} />
              <Consent policy={policy} />
              <Scope policy={policy} />
            </SaveGroup>
            <CheckRecipient />
          </Stack>
        )}
      </Fetched>
    </Page>
  );
}
