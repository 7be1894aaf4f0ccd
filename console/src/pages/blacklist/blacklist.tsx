import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { writtenText } from '../../components/direction.ts';
import { Download } from '../../components/download.tsx';
import { useSubmission } from '../../components/form.ts';
import { NumberSearch } from '../../components/number-search.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { RecentImports } from '../contacts/recent-imports.tsx';

const ROWS = 50;
/** What /v1/imports calls the blacklist. */
const BLACKLIST = '0';

/** Numbers that get nothing. */
export default function Blacklist() {
  const { blacklist: t, contacts } = useTexts();
  const { role } = useSession();
  const [search, setSearch] = useSearchParams();
  const phone = search.get('phone') ?? '';
  const [adding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<string>();
  const mayChange = atLeast(role, 'sender');
  const pages = usePages(['blacklist', phone], async (after) => {
    const { data } = await client.GET('/v1/blacklist', {
      params: { query: { phone, limit: ROWS, ...(after !== undefined && { after }) } },
    });
    return { rows: data!.numbers, next: data!.next };
  });
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <>
          <Download path="/v1/blacklist/export">{t.export}</Download>
          {mayChange && (
            <>
              <Button
                component={Link}
                href="/blacklist/import"
                variant="default"
                leftSection={<Upload size={16} aria-hidden />}
              >
                {t.import}
              </Button>
              <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
                {t.add}
              </Button>
            </>
          )}
        </>
      }
    >
      <NumberSearch
        label={t.search}
        hint={contacts.searchHint}
        value={phone}
        onSearch={(digits) => setSearch(digits === '' ? {} : { phone: digits }, { replace: true })}
      />
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => row.phone}
        columns={[
          { key: 'phone', title: t.phone, cell: (row) => <Phone number={row.phone} /> },
          { key: 'since', title: t.since, cell: (row) => <Time at={row.since} /> },
          ...(mayChange
            ? [
                {
                  key: 'remove',
                  title: t.remove,
                  hiddenTitle: true,
                  align: 'end' as const,
                  cell: (row: { phone: string }) => (
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      aria-label={`${t.remove}: ${row.phone}`}
                      onClick={() => setLeaving(row.phone)}
                    >
                      {t.remove}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
        empty={
          phone === '' ? (
            <Empty icon={Ban} title={t.none}>
              {t.noneHint}
            </Empty>
          ) : (
            <Empty icon={Ban} title={contacts.noMatch}>
              {contacts.noMatchHint}
            </Empty>
          )
        }
      />
      <RecentImports listId={BLACKLIST} />
      <AddNumbers opened={adding} onClose={() => setAdding(false)} />
      <RemoveNumber phone={leaving} onClose={() => setLeaving(undefined)} />
    </Page>
  );
}

function AddNumbers({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { blacklist: t, common } = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.addTitle}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <NumbersForm onClose={onClose} />
    </Modal>
  );
}

function NumbersForm({ onClose }: { readonly onClose: () => void }) {
  const { blacklist: t, common } = useTexts();
  const queryClient = useQueryClient();
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  const form = useForm({ initialValues: { phones: '' } });
  const { onSubmit, busy, error } = useSubmission(form, async ({ phones }) => {
    const numbers = phones
      .split(/[\n,;]+/)
      .map((number) => number.trim())
      .filter((number) => number !== '');
    const { data } = await client.POST('/v1/blacklist', { body: { phones: numbers } });
    notifications.show({ message: t.added(data!.added, data!.present), color: 'teal' });
    await queryClient.invalidateQueries({ queryKey: ['blacklist'] });
    if (data!.errors.length === 0) onClose();
    else setUnreadable(data!.errors);
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Textarea
          label={t.numbers}
          description={t.numbersHint}
          dir="ltr"
          inputMode="tel"
          autosize
          minRows={4}
          maxRows={12}
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('phones')}
        />
        {unreadable.length > 0 && (
          <div role="alert">
            <Text size="sm" fw={600}>
              {t.unreadable}
            </Text>
            {unreadable.map((problem) => (
              <Text key={problem} size="sm" dir="auto">
                {problem}
              </Text>
            ))}
          </div>
        )}
        {error !== undefined && <ErrorNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={busy}>
            {common.add}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function RemoveNumber({
  phone,
  onClose,
}: {
  readonly phone: string | undefined;
  readonly onClose: () => void;
}) {
  const { blacklist: t, common } = useTexts();
  return (
    <Modal
      opened={phone !== undefined}
      onClose={onClose}
      title={t.removeTitle}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {phone !== undefined && <ReasonForm phone={phone} onClose={onClose} />}
    </Modal>
  );
}

function ReasonForm({ phone, onClose }: { readonly phone: string; readonly onClose: () => void }) {
  const { blacklist: t, common } = useTexts();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? t.reasonMissing : null) },
  });
  const { onSubmit, busy, error } = useSubmission(form, async ({ reason }) => {
    await client.POST('/v1/blacklist/remove', { body: { phones: [phone], reason } });
    notifications.show({ message: t.removed });
    await queryClient.invalidateQueries({ queryKey: ['blacklist'] });
    onClose();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Text size="sm">
          <Phone number={phone} />
          <br />
          {t.removeText}
        </Text>
        <Textarea
          label={t.reason}
          description={t.reasonHint}
          {...writtenText}
          autosize
          minRows={2}
          maxLength={500}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        {error !== undefined && <ErrorNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" color="red" loading={busy}>
            {t.removeAction}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
