import { Alert, Button, Group, Select } from '@mantine/core';
import { Globe } from 'lucide-react';
import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { sessionKey } from '../../api/session.ts';
import { useMay, useSession, useTimeZone } from '../../api/session-context.ts';
import { useAttempt } from '../../components/notify.ts';
import { TextLink } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

const zones = Intl.supportedValuesOf('timeZone');
const SHOWN = 50;

/** Changes the zone of the account, or that in which the person sees times. */
function useSetZone() {
  const refresh = useRefresh();
  const attempt = useAttempt();
  return (whose: 'account' | 'own', zone: string | null) =>
    attempt(async () => {
      const body = { time_zone: zone };
      if (whose === 'account') await client.PATCH('/v1/account', { body });
      else await client.PATCH('/v1/session', { body });
      await refresh(sessionKey, '/v1/overview');
    });
}

/** Chooses the time zone of the displayed times and, for owners, that of the account. */
export function ChooseZones() {
  const { account: t } = useTexts();
  const { account, time_zone: own, default_time_zone: usual } = useSession();
  const mayChange = useMay('owner');
  const set = useSetZone();
  const select = (
    whose: 'account' | 'own',
    label: string,
    hint: string,
    value: string | null,
    instead: string,
  ) => (
    <Select
      label={label}
      description={hint}
      placeholder={instead}
      // Browsers leave out names that are another zone's, as UTC.
      data={value === null || zones.includes(value) ? zones : [value, ...zones]}
      value={value}
      onChange={(zone) => void set(whose, zone)}
      limit={SHOWN}
      searchable
      clearable
      dir="ltr"
    />
  );
  const ofAccount = account?.time_zone ?? null;
  return (
    <>
      {select('own', t.ownZone, t.ownZoneHint, own, t.zoneOfAccount(ofAccount ?? usual))}
      {account &&
        mayChange &&
        select('account', t.accountZone, t.accountZoneHint, ofAccount, t.zoneOfService(usual))}
    </>
  );
}

/** Asks owners for the zone of their account, until it has one. */
export function AskZone() {
  const { account: t } = useTexts();
  const { account } = useSession();
  const mayChange = useMay('owner');
  const zone = useTimeZone();
  const set = useSetZone();
  if (!account || account.time_zone !== null || !mayChange) return null;
  const browser = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Alert color="blue" icon={<Globe />} title={t.askZone} role="note">
      <Group gap="sm">
        <span>{t.askZoneText(zone)}</span>
        <Button size="xs" onClick={() => void set('account', browser)}>
          {t.takeZone(browser)}
        </Button>
        <TextLink href="/settings" size="sm" underline="always">
          {t.otherZone}
        </TextLink>
      </Group>
    </Alert>
  );
}
