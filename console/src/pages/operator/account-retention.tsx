import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { useDone } from '../../components/notify.ts';
import { Fetched } from '../../components/states.tsx';
import { RetentionForm } from '../../features/retention/retention-form.tsx';
import { useDataTexts } from '../../features/retention/texts.ts';

const RETENTION = '/v1/operator/accounts/{id}/retention';

/** Maximum retention that the operator sets for an account. */
export function AccountRetention({ id }: { readonly id: string }) {
  const t = useDataTexts();
  const done = useDone();
  const query = useAnswer(RETENTION, byId(id));
  return (
    <Card id="retention" title={t.limits} lead={t.limitsHint}>
      <Fetched query={query}>
        {(retention) => (
          <RetentionForm
            retention={retention}
            isLimit
            save={async (body) => {
              await client.PATCH(RETENTION, { ...byId(id), body });
              await done(t.saved, RETENTION);
            }}
          />
        )}
      </Fetched>
    </Card>
  );
}
