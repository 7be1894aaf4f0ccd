import { Group } from '@mantine/core';
import { Ban, CirclePlay } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Facts } from '../../components/facts.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Fetched } from '../../components/states.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ACCOUNT, ACCOUNTS, type Account } from './account.tsx';
import { useOperatorTexts } from './texts.ts';

const HELD = '/v1/operator/accounts/{id}/held';
const REFETCH_MS = 3_000;

/** Work of a suspended account, which the operator resumes by lifting the suspension, or cancels with a refund. */
export function AccountHeld({ account }: { readonly account: Account }) {
  const { common } = useTexts();
  const { accounts: t } = useOperatorTexts();
  const { id, name, suspended } = account;
  const done = useDone();
  const attempt = useAttempt();
  const { ask } = useDialogs();
  const query = useAnswer(HELD, byId(id), { refetchInterval: REFETCH_MS });
  async function lift() {
    await attempt(async () => {
      await client.POST('/v1/operator/accounts/{id}/lift', byId(id));
      await done(t.lifted(name), ACCOUNTS, ACCOUNT, HELD);
    });
  }
  const cancel = () =>
    ask({
      title: t.cancelHeldTitle(name),
      text: t.cancelHeldText,
      action: t.cancelHeld,
      keep: common.keeps.held,
      run: async () => {
        await client.POST('/v1/operator/accounts/{id}/held/cancel', byId(id));
        await done(t.cancellingHeld, HELD);
      },
    });
  return (
    <Card id="held" title={t.held} lead={suspended ? t.heldHint : t.heldByParentHint}>
      <Fetched query={query} lines={3}>
        {({ since, messages, campaigns, cancelling_since, cancelled_at }) => (
          <>
            <Facts
              rows={[
                [t.heldSince, <Time key="since" at={since} />],
                [t.heldMessages, <Count key="messages" value={messages} />],
                [t.heldCampaigns, <Count key="campaigns" value={campaigns} />],
                ...(cancelled_at === null
                  ? []
                  : ([[t.heldCancelled, <Time key="cancelled" at={cancelled_at} />]] as const)),
              ]}
            />
            <Group>
              {suspended && (
                <Action icon={CirclePlay} variant="default" onClick={() => void lift()}>
                  {t.lift}
                </Action>
              )}
              <Action
                icon={Ban}
                color="red"
                variant="light"
                loading={cancelling_since !== null}
                disabled={messages + campaigns === 0}
                onClick={cancel}
              >
                {t.cancelHeld}
              </Action>
            </Group>
          </>
        )}
      </Fetched>
    </Card>
  );
}
