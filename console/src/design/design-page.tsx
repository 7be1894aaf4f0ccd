import { Group, Stack, Text } from '@mantine/core';
import { SessionContext } from '../api/session-context.ts';
import { Brand } from '../components/brand.tsx';
import { Card } from '../components/card.tsx';
import { DialogsProvider } from '../components/dialogs.tsx';
import { Page } from '../components/page.tsx';
import { Muted } from '../components/text.tsx';
import { LanguageMenu, ThemeMenu } from '../features/preferences/menus.tsx';
import { Buttons, Fields } from './controls.tsx';
import { exampleSession } from './example-session.ts';
import { Bells, Notices, Panel, States } from './feedback.tsx';
import { Charts, Colors, Statuses, Tables, Values } from './shown-data.tsx';
import { useDesignTexts } from './texts.ts';

/** The parts of the console in their states, for development: `/console/design` of `npm run console`. */
export default function DesignPage() {
  const t = useDesignTexts();
  return (
    <SessionContext value={exampleSession}>
      <DialogsProvider>
        <header className="header">
          <Group h="100%" px="md" justify="space-between">
            <Brand />
            <Group gap={4}>
              <LanguageMenu />
              <ThemeMenu />
            </Group>
          </Group>
        </header>
        <main id="content" style={{ marginInlineStart: 0 }}>
          <div className="content">
            <Page title={t.title} lead={t.lead}>
              <Colors />
              <Type />
              <Buttons />
              <Fields />
              <Statuses />
              <Values />
              <Tables />
              <States />
              <Notices />
              <Panel />
              <Charts />
              <Bells />
            </Page>
          </div>
        </main>
      </DialogsProvider>
    </SessionContext>
  );
}

function Type() {
  const t = useDesignTexts();
  return (
    <Card title={t.type}>
      <Stack gap="xs">
        {(['xl', 'lg', 'md', 'sm', 'xs'] as const).map((size) => (
          <Group key={size} gap="lg" align="baseline">
            <Muted size="xs" dir="ltr">
              {size}
            </Muted>
            <Text size={size}>{t.written}</Text>
            <Text size={size} fw={600}>
              {t.written}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
