import { Stack, Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { useOperatorTexts } from './texts.ts';

type Preview = Answer<'/v1/operator/http-carriers/try', 'POST'>;

/** The request that an HTTP connector makes of a sample message, with masked secrets. */
export function RequestPreview({ preview }: { readonly preview: Preview }) {
  const { connectors: t } = useOperatorTexts();
  const { method, url, headers, body } = preview.request;
  const lines = [
    `${method} ${url}`,
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    ...(body === null ? [] : ['', body]),
  ];
  return (
    <Stack>
      <Text size="sm">{t.previewText}</Text>
      <CodeBlock code={lines.join('\n')} label={t.preview} />
    </Stack>
  );
}
