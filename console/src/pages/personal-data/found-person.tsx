import { Alert, Group, List, Stack, Text } from '@mantine/core';
import { CircleAlert, Download, Trash2 } from 'lucide-react';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Section } from '../../components/text.tsx';
import { Address, Phone } from '../../components/values.tsx';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { CountsTable } from './data-counts.tsx';
import { EraseForm } from './erase-form.tsx';
import { ExportForm } from './export-form.tsx';
import { useRequestColumns } from './request-columns.tsx';
import { usePersonalDataTexts } from './texts.ts';

/** A person as entered in the search, and their stored data. */
export interface Found {
  readonly person: Required<RequestBody<'/v1/data-subjects/search'>>;
  readonly answer: Answer<'/v1/data-subjects/search', 'POST'>;
}

/** Stored data of a person by kind, with the possible actions. Displaying it changes nothing. */
export function FoundPerson({ found }: { readonly found: Found }) {
  const { counts, own_uses: ownUses } = found.answer;
  const t = usePersonalDataTexts();
  const language = useLanguage();
  const { open } = useDialogs();
  const rows = counts.reduce((sum, { count }) => sum + count, 0);
  const actions = (
    <Group gap="sm">
      <Action
        icon={Download}
        variant="default"
        onClick={() => open(t.exportTitle, <ExportForm person={found.person} />)}
      >
        {t.export}
      </Action>
      <Action
        icon={Trash2}
        color="red"
        variant="light"
        disabled={ownUses.length > 0}
        onClick={() => open(t.eraseTitle, <EraseForm found={found} />, { size: 'lg' })}
      >
        {t.erase}
      </Action>
    </Group>
  );
  return (
    <Card title={t.found} lead={<Identifiers of={found.answer} />} actions={actions}>
      <Text role="status" size="sm">
        {rows === 0 ? t.foundNothing : t.foundRows(rows.toLocaleString(language))}
      </Text>
      {ownUses.length > 0 && <OwnUses of={ownUses} />}
      {rows > 0 && <CountsTable caption={t.found} counts={counts} withEffects empty={t.foundNothing} />}
      {found.answer.requests.length > 0 && <Earlier requests={found.answer.requests} />}
    </Card>
  );
}

/** Identifiers of the person, including numbers and ids that the chat platform linked to each other. */
function Identifiers({ of: { phones, emails, chat_ids: chatIds } }: { readonly of: Found['answer'] }) {
  return (
    <Group component="span" gap="md">
      {phones.map((phone) => (
        <Phone key={phone} number={phone} />
      ))}
      {[...emails, ...chatIds].map((one) => (
        <Address key={one} url={one} />
      ))}
    </Group>
  );
}

function OwnUses({ of }: { readonly of: Found['answer']['own_uses'] }) {
  const t = usePersonalDataTexts();
  return (
    <Alert color="orange" icon={<CircleAlert />} title={t.ownUses}>
      <Stack gap="xs">
        {t.ownUsesText}
        <List size="sm">
          {of.map(({ identifier, use }) => (
            <List.Item key={`${identifier} ${use}`}>
              <bdi dir="ltr">{identifier}</bdi>: {t.uses[use]}
            </List.Item>
          ))}
        </List>
      </Stack>
    </Alert>
  );
}

function Earlier({ requests }: { readonly requests: Found['answer']['requests'] }) {
  const t = usePersonalDataTexts();
  const columns = useRequestColumns();
  return (
    <Section title={t.earlier}>
      <RowsTable caption={t.earlier} rows={requests} rowKey={({ id }) => id} columns={columns} />
    </Section>
  );
}
