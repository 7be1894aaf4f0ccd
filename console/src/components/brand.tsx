import { Group, Text } from '@mantine/core';
import { useTexts } from '../i18n/use-texts.tsx';

/** The bell and the name. `iconOnly`: without the name on a phone. */
export function Brand({ iconOnly = false }: { readonly iconOnly?: boolean }) {
  const { shell } = useTexts();
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/icon.svg" alt="" width={30} height={30} />
      <Text fw={700} size="lg" className="brand" {...(iconOnly && { visibleFrom: 'md' })}>
        {shell.name}
      </Text>
    </Group>
  );
}
