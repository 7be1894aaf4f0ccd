import { Group, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Brand } from '../../components/brand.tsx';
import { Muted } from '../../components/text.tsx';
import { LanguageMenu, ThemeMenu } from '../../features/preferences/menus.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import './sign-in.css';

/** Page for visitors who are not signed in: one card, with the language and theme. */
export function SignInFrame({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: string;
  readonly children: ReactNode;
}) {
  const { shell } = useTexts();
  useEffect(() => {
    document.title = `${title} · ${shell.name}`;
  }, [title, shell.name]);
  return (
    <div className="sign-in">
      <header>
        <Brand />
        <Group gap={4}>
          <LanguageMenu />
          <ThemeMenu />
        </Group>
      </header>
      <main>
        <Paper className="sign-in-card" radius="lg" p={{ base: 'lg', sm: 36 }} withBorder>
          <Stack gap="lg">
            <div>
              <Title order={1} size="h2">
                {title}
              </Title>
              {lead !== undefined && <Muted mt={4}>{lead}</Muted>}
            </div>
            {children}
          </Stack>
        </Paper>
      </main>
    </div>
  );
}
