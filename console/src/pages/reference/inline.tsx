import { Code, Text } from '@mantine/core';

/** A line of the description, which is English, with its `code`. */
export function Inline({ text }: { readonly text: string }) {
  return (
    <span lang="en" dir="ltr" className="described">
      {text.split('`').map((part, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have nothing but their place
          <Code key={index}>{part}</Code>
        ) : (
          part
        ),
      )}
    </span>
  );
}

/** Paragraphs of the description. */
export function Paragraphs({ text }: { readonly text: string }) {
  return text.split('\n\n').map((paragraph) => (
    <Text key={paragraph} size="sm">
      <Inline text={paragraph} />
    </Text>
  ));
}
