import { Select } from '@mantine/core';
import { useMay, useSession } from '../../api/session-context.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useSetZone } from './set-zone.ts';

const zones = Intl.supportedValuesOf('timeZone');
const SHOWN = 50;

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
