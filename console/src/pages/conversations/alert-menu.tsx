import { ActionIcon, Menu } from '@mantine/core';
import { Bell, BellRing } from 'lucide-react';
import { useState } from 'react';
import { playSound, useAlertsWanted, useSoundWanted } from '../../features/conversations/desktop-alerts.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

const isOffered = 'Notification' in window;

/**
 * Turns notifications and sound of this browser on and off. Requests the browser's permission only when they are turned on.
 */
export function AlertMenu() {
  const { conversations: t } = useTexts();
  const [alerts, setAlerts] = useAlertsWanted();
  const [sound, setSound] = useSoundWanted();
  const [isDenied, setDenied] = useState(isOffered && Notification.permission === 'denied');
  const isOn = alerts && !isDenied;
  async function toggle(wanted: boolean) {
    const permission = wanted ? await Notification.requestPermission() : 'default';
    setDenied(permission === 'denied');
    setAlerts(permission === 'granted');
  }
  const Icon = isOn || sound ? BellRing : Bell;
  return (
    <Menu position="bottom-end" width={260} closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="input-xs" aria-label={t.alerts}>
          <Icon size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isOffered && (
          <Menu.CheckboxItem checked={isOn} disabled={isDenied} onChange={(wanted) => void toggle(wanted)}>
            {t.alertsWanted}
          </Menu.CheckboxItem>
        )}
        {isDenied && <Menu.Label>{t.alertsDenied}</Menu.Label>}
        <Menu.CheckboxItem
          checked={sound}
          onChange={(wanted) => {
            setSound(wanted);
            if (wanted) playSound();
          }}
        >
          {t.soundWanted}
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}
