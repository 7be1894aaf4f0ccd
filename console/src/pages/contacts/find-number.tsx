import { Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { FindForm } from '../../components/find-form.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { useContactTexts } from '../../features/imports/texts.ts';

/** Lists that contain a number, with its fields in each. */
export function FindNumber() {
  const t = useContactTexts();
  const [phone, setPhone] = useState('');
  const { data, error, isFetching } = useAnswer(
    '/v1/contacts',
    { query: { phone } },
    { enabled: phone !== '', retry: false },
  );
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <FindForm
          label={t.findNumber}
          placeholder={t.findHint}
          inputMode="tel"
          width={280}
          button={t.find}
          isFinding={isFetching}
          onFind={setPhone}
        />
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
