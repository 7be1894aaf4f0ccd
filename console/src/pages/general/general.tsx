import { Button, Group, Stack } from '@mantine/core';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { Facts, Id } from '../../components/facts.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Fetched } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { Muted } from '../../components/text.tsx';
import { ChoosePicture } from '../../features/pictures/choose-picture.tsx';
import { useSetZone } from '../../features/preferences/set-zone.ts';
import { ZoneSelect } from '../../features/preferences/zone-select.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useGeneralTexts } from './texts.ts';
import './general.css';

const ACCOUNT = '/v1/account';

interface Shown {
  readonly account: Answer<typeof ACCOUNT>;
}

/** Name, time zone and logo of an account. */
export default function General() {
  const t = useGeneralTexts();
  const query = useAnswer(ACCOUNT);
  return (
    <Page lead={t.lead}>
      <Fetched query={query}>
        {(account) => (
          <Stack gap="lg" maw={820}>
            <AccountCard account={account} />
            <LogoCard account={account} />
          </Stack>
        )}
      </Fetched>
    </Page>
  );
}

/** The names of the account, and its time zone, which owners choose. */
function AccountCard({ account: { id, name, username, time_zone: zone } }: Shown) {
  const t = useGeneralTexts();
  const { account: texts } = useTexts();
  const { default_time_zone: usual } = useSession();
  const mayChange = useMay('owner');
  const set = useSetZone();
  const ofService = t.zoneOfService(usual);
  return (
    <Card title={t.about} lead={t.operatorChanges}>
      <Facts
        rows={[
          [t.name, <bdi key="name">{name}</bdi>],
          [t.username, <bdi key="username">{username}</bdi>],
          [t.id, <Id key="id" value={id} />],
          ...(mayChange ? [] : [[t.zone, <bdi key="zone">{zone ?? ofService}</bdi>] as const]),
        ]}
      />
      {mayChange && (
        <ZoneSelect
          id="time-zone"
          label={texts.accountZone}
          hint={t.zoneHint}
          value={zone}
          instead={ofService}
          onChoose={(chosen) => void set('account', chosen)}
        />
      )}
    </Card>
  );
}

function LogoCard({ account: { name, logo_url: logo } }: Shown) {
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
