import { Alert, Button, Stack, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useTexts } from '../i18n/use-texts.tsx';

/** Keeps a page that fails from taking the navigation with it. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <Crashed /> : this.props.children;
  }
}

function Crashed() {
  const { shell } = useTexts();
  return (
    <Alert color="red" title={shell.crashed.title} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{shell.crashed.text}</Text>
        <Button size="xs" variant="light" color="red" onClick={() => location.reload()}>
          {shell.reload}
        </Button>
      </Stack>
    </Alert>
  );
}
