import { ActionIcon, Menu } from '@mantine/core';
import { Languages, Moon, Sun, SunMoon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { languageNames, languages } from '../../i18n/languages.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { usePreferences } from './use-preferences.ts';

function HeaderButton({
  label,
  ...props
}: { readonly label: string } & ComponentProps<typeof ActionIcon<'button'>>) {
  return <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} title={label} {...props} />;
}

/** Chooses the language. */
export function LanguageMenu() {
  const { shell } = useTexts();
  const { language, setLanguage } = usePreferences();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <HeaderButton label={shell.language}>
          <Languages size={19} />
        </HeaderButton>
      </Menu.Target>
      <Menu.Dropdown>
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
      </Menu.Dropdown>
    </Menu>
  );
}

const themeIcons = { auto: SunMoon, light: Sun, dark: Moon };

/** Chooses light, dark, or as the system has it. */
export function ThemeMenu() {
  const { shell } = useTexts();
  const { scheme, setScheme } = usePreferences();
  const Current = themeIcons[scheme];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <HeaderButton label={shell.theme}>
          <Current size={19} />
        </HeaderButton>
      </Menu.Target>
      <Menu.Dropdown>
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
      </Menu.Dropdown>
    </Menu>
  );
}
