import { Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Action } from '../../components/action.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { useContactTexts } from '../../features/imports/texts.ts';

/** Which lists a number is in, and what each knows of it. */
export function FindNumber() {
  const t = useContactTexts();
  const [typed, setTyped] = useState('');
  const [phone, setPhone] = useState('');
  const { data, error, isFetching } = api.useQuery(
    'get',
    '/v1/contacts',
    { params: { query: { phone } } },
    { enabled: phone !== '', retry: false },
  );
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setPhone(typed.trim());
          }}
        >
          <Group gap="xs" align="flex-end">
            <TextInput
              type="search"
              label={t.findNumber}
              placeholder={t.findHint}
              dir="ltr"
              inputMode="tel"
              w={{ base: '100%', xs: 280 }}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Action
              icon={Search}
              type="submit"
              variant="default"
              loading={isFetching}
              disabled={typed.trim() === ''}
            >
              {t.find}
            </Action>
          </Group>
        </form>
        {phone !== '' && error !== null && <ErrorNote error={error} />}
        {phone !== '' && data && (
          <div role="status">
            {data.lists.length === 0 ? (
              <Muted>{t.foundNowhere}</Muted>
            ) : (
              <Stack gap={4}>
                <Text size="sm">{t.foundIn(data.lists.length)}</Text>
                {data.lists.map((list) => (
                  <Group key={list.id} gap="xs">
                    <TextLink href={`/contacts/${list.id}?phone=${encodeURIComponent(phone)}`} fw={600}>
                      <bdi>{list.name}</bdi>
                    </TextLink>
                    <Muted>
                      <bdi>{list.fields.filter(Boolean).join(' · ')}</bdi>
                    </Muted>
                  </Group>
                ))}
              </Stack>
            )}
            <TextLink href={`/recipients/${encodeURIComponent(phone)}`} size="sm">
              {t.allMessages}
            </TextLink>
          </div>
        )}
      </Stack>
    </Paper>
  );
}
