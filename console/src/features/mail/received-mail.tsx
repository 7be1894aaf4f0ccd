import { Group } from '@mantine/core';
import { mailFile, type ReceivedMail, useMailSource } from '../../api/mailbox.ts';
import { RowsTable } from '../../components/data-table.tsx';
import { Download } from '../../components/download.tsx';
import { Facts } from '../../components/facts.tsx';
import { MailCard, type MailView } from '../../components/mail-card.tsx';
import { Fetched } from '../../components/states.tsx';
import { Time } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { Code, useMailViews } from './mail-views.tsx';

const FRAME_HEIGHT = 420;

/** Complete display of an email that a simulated mailbox received. */
export function ReceivedMailCard({ mail, to }: { readonly mail: ReceivedMail; readonly to: string }) {
  const { mailViews: t, sandbox, mailbox } = useTexts();
  const language = useLanguage();
  const ownViews = useMailViews();
  const { id, subject, from, at, headers, attachments, bytes } = mail;
  const html = mail.html === '' ? null : mail.html;
  const text = mail.text === '' ? null : mail.text;
  const size = (count: number) => t.bytes(count.toLocaleString(language));
  const views: MailView[] = [
    ...ownViews({ html, text }),
    { key: 'headers', label: t.headers, show: () => <Headers headers={headers} /> },
    { key: 'source', label: t.source, show: () => <Source to={to} id={id} /> },
  ];
  return (
    <MailCard
      title={subject || mailbox.noSubject}
      html={html}
      text={text}
      height={FRAME_HEIGHT}
      views={views}
    >
      <Facts
        rows={[
          [
            sandbox.from,
            <bdi key="from" dir="ltr">
              {from}
            </bdi>,
          ],
          [
            sandbox.to,
            <bdi key="to" dir="ltr">
              {to}
            </bdi>,
          ],
          [sandbox.arrived, <Time key="at" at={at} to="second" />],
          [t.size, size(bytes)],
          ...attachments.map(({ name, type, bytes: count }, index): [string, string] => [
            index === 0 ? t.attachments : `${t.attachments} ${index + 1}`,
            t.attachment(name || t.noName, type, size(count)),
          ]),
        ]}
      />
      <Group>
        <Download withoutProof size="xs" path={mailFile(to, id)}>
          {t.download}
        </Download>
      </Group>
    </MailCard>
  );
}

function Headers({ headers }: { readonly headers: ReceivedMail['headers'] }) {
  const { mailViews: t } = useTexts();
  return (
    <RowsTable
      caption={t.headers}
      minWidth={260}
      rows={Object.entries(headers)}
      rowKey={([name]) => name}
      columns={[
        { title: t.header, rowHeader: true, cell: ([name]) => <bdi dir="ltr">{name}</bdi> },
        {
          title: t.value,
          cell: ([, value]) => (
            <bdi dir="ltr" className="mail-address">
              {value}
            </bdi>
          ),
        },
      ]}
    />
  );
}

function Source({ to, id }: { readonly to: string; readonly id: string }) {
  const { mailViews: t } = useTexts();
  const query = useMailSource(to, id);
  return <Fetched query={query}>{(source) => <Code label={t.sourceOf} text={source} />}</Fetched>;
}
