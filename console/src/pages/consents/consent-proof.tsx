import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { client } from '../../api/client.ts';
import { Action } from '../../components/action.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { saveFile } from '../../components/save-file.ts';
import { Fetched } from '../../components/states.tsx';
import { useConsentTexts } from './texts.ts';

const DOCUMENT = 'consents.json';
const SIGNATURE = 'consents.sig';
const KEY = 'consents-key.pem';
const COMMAND = `openssl pkeyutl -verify -pubin -inkey ${KEY} -rawin \\
  -in ${DOCUMENT} -sigfile ${SIGNATURE}`;

/** The signed proof of what a person agreed to, as files, and how others check it. */
export function Proof({ subject }: { readonly subject: string }) {
  const t = useConsentTexts();
  const query = useQuery({
    queryKey: ['post', '/v1/consents/proof', subject],
    queryFn: () => client.POST('/v1/consents/proof', { body: { subject } }),
    gcTime: 0,
  });
  return (
    <Fetched query={query}>
      {({ document, signature, public_key: key }) => {
        const bytes = Uint8Array.from(atob(signature), (letter) => letter.charCodeAt(0));
        const files = [
          [t.proofDocument, DOCUMENT, document, 'application/json'],
          [t.proofSignature, SIGNATURE, bytes, 'application/octet-stream'],
          [t.proofKey, KEY, key, 'application/x-pem-file'],
        ] as const;
        return (
          <Stack>
            <Text size="sm">{t.proofText}</Text>
            <CodeBlock code={COMMAND} label={t.proofCommand} />
            <Group>
              {files.map(([name, file, content, type]) => (
                <Action
                  key={file}
                  icon={Download}
                  variant="default"
                  onClick={() => saveFile(file, content, type)}
                >
                  {name}
                </Action>
              ))}
            </Group>
          </Stack>
        );
      }}
    </Fetched>
  );
}
