import { Button, Group, Stack } from '@mantine/core';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { Facts, Id } from '../../components/facts.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Fetched } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { Muted } from '../../components/text.tsx';
import { ChoosePicture } from '../../features/pictures/choose-picture.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useGeneralTexts } from './texts.ts';
import './general.css';

const ACCOUNT = '/v1/account';

/** Name and logo of an account. */
export default function General() {
  const t = useGeneralTexts();
  const query = useAnswer(ACCOUNT);
  return (
    <Page lead={t.lead}>
      <Fetched query={query}>
        {(account) => (
          <Stack gap="lg" maw={820}>
            <Card title={t.about} lead={t.operatorChanges}>
              <Facts
                rows={[
                  [t.name, <bdi key="name">{account.name}</bdi>],
                  [t.username, <bdi key="username">{account.username}</bdi>],
                  [t.id, <Id key="id" value={account.id} />],
                  [t.zone, <bdi key="zone">{account.time_zone ?? t.zoneOfService}</bdi>],
                ]}
              />
            </Card>
            <LogoCard account={account} />
          </Stack>
        )}
      </Fetched>
    </Page>
  );
}

function LogoCard({ account: { name, logo_url: logo } }: { readonly account: Answer<typeof ACCOUNT> }) {
  const t = useGeneralTexts();
  const { shell } = useTexts();
  const mayChange = useMay('owner');
  const done = useDone();
  const save = async (id: string | null) => {
    await client.PATCH(ACCOUNT, { body: { logo_picture_id: id } });
    await done(id === null ? t.logoRemoved : t.logoSaved, ACCOUNT);
  };
  const { busy, error, run } = useTask(() => save(null));
  return (
    <Card id="logo" title={shell.logo} lead={t.logoHint}>
      {logo === null ? (
        <Muted>{t.noLogo}</Muted>
      ) : (
        <img className="account-logo" src={logo} alt={t.logoOf(name)} />
      )}
      {mayChange && (
        <Group>
          <ChoosePicture onChosen={({ id }) => save(id)} />
          {logo !== null && (
            <Button variant="default" size="xs" loading={busy} onClick={() => void run()}>
              {t.removeLogo}
            </Button>
          )}
        </Group>
      )}
      <ErrorNote error={error} />
    </Card>
  );
}
