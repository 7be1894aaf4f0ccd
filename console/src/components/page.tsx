import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { useTexts } from '../i18n/use-texts.tsx';
import { PageFrame, usePageTitle } from './page-frame.ts';
import { TextLink } from './text.tsx';

/** Whether a heading was shown before: the first page of a visit leaves the focus where the browser put it. */
let shownBefore = false;

/**
 * Frame of every page: the heading, which gets the focus when the page opens so that screen readers announce it, the window
 * title, actions next to the heading, and the tabs of the section.
 */
export function Page({
  title: own,
  lead,
  back,
  actions,
  children,
}: {
  /** Title of a page that shows one thing; the feature has registered the titles of others. */
  readonly title?: string;
  readonly lead?: ReactNode;
  /** Path of the page above it. */
  readonly back?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { shell } = useTexts();
  const registered = usePageTitle();
  const { tabs } = useContext(PageFrame);
  const title = own ?? registered;
  useEffect(() => {
    document.title = `${title} · ${shell.name}`;
  }, [title, shell.name]);
  useEffect(() => {
    if (shownBefore) heading.current?.focus({ preventScroll: true });
    shownBefore = true;
    // Scrolls to the card that the address names, else to the top.
    const place = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
    if (place) place.scrollIntoView();
    else scrollTo(0, 0);
  }, []);
  return (
    <Stack gap="lg">
      {back !== undefined && <BackLink path={back} />}
      <Group justify="space-between" align="flex-start" gap="md">
        <Box maw={760}>
          <Title order={1} size="h2" ref={heading} tabIndex={-1} className="page-title">
            {title}
          </Title>
          {Boolean(lead) && (
            <Text c="dimmed" mt={4}>
              {lead}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {tabs}
      {children}
    </Stack>
  );
}

/** Leads to the page above. */
function BackLink({ path }: { readonly path: string }) {
  const { titleOf } = useContext(PageFrame);
  return (
    <TextLink href={path} size="sm">
      <Group gap={6}>
        <ArrowLeft size={15} className="mirrored" aria-hidden /> {titleOf(path)}
      </Group>
    </TextLink>
  );
}
