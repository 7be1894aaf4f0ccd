import { Grid, SegmentedControl, Stack } from '@mantine/core';
import { useSession } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { Page } from '../../components/page.tsx';
import { useSetZone } from '../../features/preferences/set-zone.ts';
import { usePreferences } from '../../features/preferences/use-preferences.ts';
import { ZoneSelect } from '../../features/preferences/zone-select.tsx';
import { languageNames, languages } from '../../i18n/languages.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { Passkeys } from './own-passkeys.tsx';
import { Password } from './password.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

/** Settings of the signed-in person. */
export default function Settings() {
  const { has_password: hasPassword } = useSession();
  return (
    <Page>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack gap="lg">
            <Appearance />
            <SecondFactor />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>{hasPassword && <Password />}</Grid.Col>
        <Grid.Col span={12}>
          <Passkeys />
        </Grid.Col>
        <Grid.Col span={12}>
          <Sessions />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Appearance() {
  const { account, shell } = useTexts();
  const { language, scheme, setLanguage, setScheme } = usePreferences();
  return (
    <Card id="appearance" title={account.appearance} lead={account.appearanceHint}>
      <SegmentedControl
        aria-label={shell.language}
        fullWidth
        value={language}
        onChange={setLanguage}
        data={languages.map((value) => ({ value, label: languageNames[value] }))}
      />
      <SegmentedControl
        aria-label={shell.theme}
        fullWidth
        value={scheme}
        onChange={setScheme}
        data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: shell.themes[value] }))}
      />
      <OwnZone />
    </Card>
  );
}

/** Chooses the time zone in which the person sees times. */
function OwnZone() {
  const { account: t } = useTexts();
  const { account, time_zone: own, default_time_zone: usual } = useSession();
  const set = useSetZone();
  return (
    <ZoneSelect
      label={t.ownZone}
      hint={t.ownZoneHint}
      value={own}
      instead={t.zoneOfAccount(account?.time_zone ?? usual)}
      onChoose={(zone) => void set('own', zone)}
    />
  );
}
