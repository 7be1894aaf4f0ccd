import { Alert, Button, Group } from '@mantine/core';
import { Globe } from 'lucide-react';
import { useMay, useSession, useTimeZone } from '../../api/session-context.ts';
import { TextLink } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useSetZone } from './set-zone.ts';

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
        <TextLink href="/account#time-zone" size="sm" underline="always">
          {t.otherZone}
        </TextLink>
      </Group>
    </Alert>
  );
}
