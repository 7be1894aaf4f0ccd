import { Group } from '@mantine/core';
import { useTimeZone } from '../api/session-context.ts';
import { Muted, TextLink } from '../components/text.tsx';
import { useTexts } from '../i18n/use-texts.tsx';

/** Note with the time zone of all times on a page. */
export function ZoneNote() {
  const { common, shell } = useTexts();
  const zone = useTimeZone();
  return (
    <Group component="footer" gap="xs" mt="xl" justify="flex-end">
      <Muted size="xs">{common.zone(zone)}</Muted>
      <TextLink href="/settings" size="xs">
        {shell.changeZone}
      </TextLink>
    </Group>
  );
}
