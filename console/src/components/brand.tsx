import { Group, Text } from '@mantine/core';
import { useTexts } from '../i18n/texts.tsx';

/** The bell and the name. */
export function Brand() {
  const { shell } = useTexts();
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/icon.svg" alt="" width={30} height={30} />
      <Text fw={700} size="lg" className="brand">
        {shell.name}
      </Text>
    </Group>
  );
}
