import { Menu } from '@mantine/core';
import type { OpenedMenuProps } from '../../components/lazy-menu.tsx';
import { OpenedMenu } from '../../components/opened-menu.tsx';
import { languageNames, languages } from '../../i18n/languages.ts';
import { usePreferences } from './use-preferences.ts';

/** The languages of the console; each in its own words. */
export default function LanguageMenu({ button }: OpenedMenuProps) {
  const { language, setLanguage } = usePreferences();
  return (
    <OpenedMenu button={button}>
      {languages.map((one) => (
        <Menu.Item
          key={one}
          lang={one}
          fw={one === language ? 700 : 400}
          aria-current={one === language}
          onClick={() => setLanguage(one)}
        >
          {languageNames[one]}
        </Menu.Item>
      ))}
    </OpenedMenu>
  );
}
