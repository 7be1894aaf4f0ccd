import { Text } from '@mantine/core';
import { Muted } from '../../components/text.tsx';

/** A sender name, and what was said of it when it was asked for. */
export function NamedSender({ source, note }: { readonly source: string; readonly note: string }) {
  return (
    <>
      <Text fw={600}>
        <bdi dir="ltr">{source}</bdi>
      </Text>
      <Muted dir="auto">{note}</Muted>
    </>
  );
}
