import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Ban, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { client } from '../../api/client.ts';
import { useList } from '../../api/paging.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Download } from '../../components/download.tsx';
import { entriesOf, Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { ReasonForm } from '../../components/reason-form.tsx';
import { RowButton } from '../../components/row-button.tsx';
import { numberSearch, SearchField } from '../../components/search-field.tsx';
import { Empty } from '../../components/states.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { RecentImports } from '../../features/imports/recent-imports.tsx';
import { useContactTexts } from '../../features/imports/texts.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useBlacklistTexts } from './texts.ts';

const ROWS = 50;
const BLACKLIST = '/v1/blacklist';
/** Id of the blacklist in /v1/imports. */
const LIST_ID = '0';

/** Numbers that get nothing. */
export default function Blacklist() {
  const t = useBlacklistTexts();
  const contacts = useContactTexts();
  const [search, setSearch] = useSearchParams();
  const phone = search.get('phone') ?? '';
  const dialogs = useDialogs();
  const mayChange = useMay('sender');
  const pages = useList(BLACKLIST, ({ numbers }) => numbers, { query: { phone, limit: ROWS } });
  return (
    <Page
      lead={t.lead}
      actions={
        <>
          <Download path="/v1/blacklist/export">{t.export}</Download>
          {mayChange && (
            <>
              <Action icon={Upload} href="/blacklist/import" variant="default">
                {t.import}
              </Action>
              <Action icon={Plus} onClick={() => dialogs.open(t.addTitle, <NumbersForm />)}>
                {t.add}
              </Action>
            </>
          )}
        </>
      }
    >
      <SearchField
        {...numberSearch}
        label={t.search}
        placeholder={contacts.searchHint}
        value={phone}
        onSearch={(digits) => setSearch(digits === '' ? {} : { phone: digits }, { replace: true })}
      />
      <DataTable
        pages={pages}
        rowKey={(row) => row.phone}
        columns={[
          { title: t.phone, cell: (row) => <Phone number={row.phone} /> },
          { title: t.since, cell: (row) => <Time at={row.since} /> },
          mayChange && {
            title: t.remove,
            hiddenTitle: true,
            align: 'end',
            cell: (row) => (
              <RowButton
                of={row.phone}
                onClick={() => dialogs.open(t.removeTitle, <RemoveForm phone={row.phone} />)}
              >
                {t.remove}
              </RowButton>
            ),
          },
        ]}
        empty={<Empty filters={{ any: phone !== '' }} icon={Ban} title={t.none} hint={t.noneHint} />}
      />
      <RecentImports listId={LIST_ID} />
    </Page>
  );
}

function RemoveForm({ phone }: { readonly phone: string }) {
  const t = useBlacklistTexts();
  const { common } = useTexts();
  const done = useDone();
  return (
    <ReasonForm
      texts={t}
      action={t.removeAction}
      keep={common.keeps.blocked}
      save={async (reason) => {
        await client.POST('/v1/blacklist/remove', { body: { phones: [phone], reason } });
        await done(t.removed, BLACKLIST, '/v1/recipients');
      }}
    >
      <Text size="sm">
        <Phone number={phone} />
        <br />
        {t.removeText}
      </Text>
    </ReasonForm>
  );
}

function NumbersForm() {
  const t = useBlacklistTexts();
  const { common } = useTexts();
  const done = useDone();
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  const form = useForm({ initialValues: { phones: '' } });
  const submission = useSubmission(form, async ({ phones }) => {
    const data = await client.POST('/v1/blacklist', { body: { phones: entriesOf(phones) } });
    await done(t.added(data.added, data.present), BLACKLIST, '/v1/recipients');
    setUnreadable(data.errors);
    return data.errors.length === 0;
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={common.add}>
      {field.text('phones', t.numbers, {
        hint: t.numbersHint,
        required: true,
        focus: true,
        lines: 4,
        inputMode: 'tel',
        maxRows: 12,
      })}
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
    </Form>
  );
}
