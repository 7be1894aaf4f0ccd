import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { Phone } from '../../components/values.tsx';
import { useOperatorTexts } from './texts.ts';

type Found = Answer<'/v1/operator/routes/find'>;

/** Says which route and connectors a number would use now. */
export function FindRoute() {
  const { connectors: t } = useOperatorTexts();
  const [phone, setPhone] = useState('');
  const [found, setFound] = useState<Found>();
  const search = useTask(async () => {
    setFound(undefined);
    const data = await client.GET('/v1/operator/routes/find', { query: { phone } });
    setFound(data);
  });
  return (
    <Stack gap="xs">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void search.run();
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t.find}
            dir="ltr"
            inputMode="tel"
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={search.busy} disabled={phone.trim() === ''}>
            {t.findSubmit}
          </Button>
        </Group>
      </form>
      <ErrorNote error={search.error} />
      <Text size="sm" role="status">
        {found && <FoundRoute found={found} />}
      </Text>
    </Stack>
  );
}

function FoundRoute({ found: { phone, route, up } }: { readonly found: Found }) {
  const { connectors: t } = useOperatorTexts();
  return (
    <>
      <Phone number={phone} />: {route === null ? t.noneTakes : `${t.takes} `}
      {route !== null && <bdi dir="ltr">{route.name}</bdi>}
      {' · '}
      {up.length === 0 ? (
        t.wouldWait
      ) : (
        <>
          {t.over} <bdi dir="ltr">{up.join(', ')}</bdi>
        </>
      )}
    </>
  );
}
