import { Menu } from '@mantine/core';
import type { OpenedMenuProps } from '../../components/lazy-menu.tsx';
import { OpenedMenu } from '../../components/opened-menu.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { themeIcons } from './theme-icons.ts';
import { usePreferences } from './use-preferences.ts';

/** The themes of the console. */
export default function ThemeMenu({ button }: OpenedMenuProps) {
  const { shell } = useTexts();
  const { scheme, setScheme } = usePreferences();
  return (
    <OpenedMenu button={button}>
      {(['auto', 'light', 'dark'] as const).map((one) => {
        const Icon = themeIcons[one];
        return (
          <Menu.Item
            key={one}
            leftSection={<Icon size={16} />}
            fw={one === scheme ? 700 : 400}
            aria-current={one === scheme}
            onClick={() => setScheme(one)}
          >
            {shell.themes[one]}
          </Menu.Item>
        );
      })}
    </OpenedMenu>
  );
}
