import { Anchor, type AnchorProps, Group, Paper, Stack, Text, type TextProps, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

type MutedProps = TextProps & {
  readonly component?: 'p' | 'div' | 'li';
  readonly id?: string;
  readonly role?: string;
  readonly dir?: string;
  readonly title?: string;
  readonly children?: ReactNode;
};

/** A hint, a note or a second line. */
export function Muted({ size = 'sm', ...props }: MutedProps) {
  return <Text size={size} c="dimmed" {...props} />;
}

/** A link to another page of the console. `onClick` may prevent the default, and so stay on the page. */
export function TextLink(
  props: AnchorProps & {
    readonly href: string;
    readonly onClick?: (event: React.MouseEvent) => void;
    readonly children: ReactNode;
  },
) {
  return <Anchor component={Link} {...props} />;
}

/** Name of a row, as a link when the row has its own page, with a note below. */
export function Named({
  name,
  href,
  children,
}: {
  readonly name: ReactNode;
  readonly href?: string;
  readonly children?: ReactNode;
}) {
  return (
    <>
      {href === undefined ? (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      ) : (
        <TextLink href={href} fw={600} size="sm">
          {name}
        </TextLink>
      )}
      {children && (
        <Muted size="xs" component="div">
          {children}
        </Muted>
      )}
    </>
  );
}

/** A number that matters, under its name. */
export function Figure({
  label,
  size = 'xl',
  children,
}: {
  readonly label: string;
  readonly size?: 'sm' | 'md' | 'xl' | 28;
  readonly children: ReactNode;
}) {
  return (
    <div>
      <Muted>{label}</Muted>
      <Text fz={size} fw={size === 'sm' ? 400 : 650} lh={1.2} component="div" className="figures">
        {children}
      </Text>
    </div>
  );
}

/** A figure in its own card. */
export function Tile({ size = 28, ...figure }: Parameters<typeof Figure>[0]) {
  return (
    <Paper withBorder p="md">
      <Figure size={size} {...figure} />
    </Paper>
  );
}

/** A part of a page with a heading and no frame. */
export function Section({
  title,
  hint,
  actions,
  children,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between" align="flex-end">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          {hint !== undefined && <Muted maw={620}>{hint}</Muted>}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
