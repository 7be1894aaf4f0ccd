import { Stack } from '@mantine/core';
import { api, client } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { RetentionForm } from '../../features/retention/retention-form.tsx';
import { useDataTexts } from '../../features/retention/texts.ts';
import { useTexts } from '../../i18n/texts.tsx';

const RETENTION = '/v1/data/retention';

/** What is kept of an account, and for how long. */
export default function Data() {
  const { shell } = useTexts();
  const t = useDataTexts();
  return (
    <Page title={shell.data} lead={t.lead}>
      <Stack gap="lg" maw={820}>
        <RetentionCard />
      </Stack>
    </Page>
  );
}

function RetentionCard() {
  const t = useDataTexts();
  const done = useDone();
  const query = api.useQuery('get', RETENTION);
  return (
    <Card id="retention" title={t.retention} lead={t.retentionHint}>
      <Fetched query={query}>
        {(retention) => (
          <RetentionForm
            retention={retention}
            save={async (body) => {
              await client.PATCH(RETENTION, { body });
              await done(t.saved, RETENTION);
            }}
          />
        )}
      </Fetched>
    </Card>
  );
}
