import { Text } from '@mantine/core';
import { Muted } from '../../components/text.tsx';

/** A sender name, and the note of its request. */
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
