import { Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Facts } from '../../components/facts.tsx';
import { RowButton } from '../../components/row-button.tsx';
import { Muted, Named } from '../../components/text.tsx';
import { Address, Phone, StatusBadge, Time } from '../../components/values.tsx';
import { useConsentTexts } from './texts.ts';

type Consent = Answer<'/v1/consents'>['consents'][number];

const MARKETING = 'marketing';

/** The columns of a table of entries, each with its details in a dialog. */
export function useEntryColumns(): readonly Column<Consent>[] {
  const t = useConsentTexts();
  const { open } = useDialogs();
  return [
    {
      title: t.person,
      cell: ({ subject, channel, purpose }) => (
        <Named name={<Subject of={subject} />}>
          {t.channels[channel]} · <Purpose of={purpose} />
        </Named>
      ),
    },
    { title: t.action, cell: ({ action }) => <Said action={action} /> },
    { title: t.source, wideOnly: true, cell: ({ source }) => t.sources[source] },
    { title: t.at, wideOnly: true, cell: ({ at }) => <Time at={at} /> },
    {
      title: t.details,
      hiddenTitle: true,
      align: 'end',
      cell: (entry) => (
        <RowButton
          of={t.entry(entry.position)}
          onClick={() => open(t.detailsTitle(entry.position), <Details of={entry} />, { size: 'lg' })}
        >
          {t.details}
        </RowButton>
      ),
    },
  ];
}

function Subject({ of }: { readonly of: string | null }) {
  const t = useConsentTexts();
  if (of === null) return <Muted span>{t.erased}</Muted>;
  return of.includes('@') ? <Address url={of} /> : <Phone number={of} />;
}

/** Purpose of a consent: marketing is translated, any other purpose is shown as recorded. */
export function Purpose({ of }: { readonly of: string }) {
  const t = useConsentTexts();
  return of === MARKETING ? t.marketing : <bdi>{of}</bdi>;
}

export function Said({ action }: Pick<Consent, 'action'>) {
  const t = useConsentTexts();
  return <StatusBadge tone={action === 'given' ? 'good' : 'warning'}>{t.actions[action]}</StatusBadge>;
}

/** An entry with its evidence and digests. */
function Details({ of: entry }: { readonly of: Consent }) {
  const t = useConsentTexts();
  const names: Readonly<Record<string, string>> = t.evidence;
  const digest = (value: string) => <Address url={value} />;
  return (
    <Facts
      rows={[
        [t.person, <Subject key="subject" of={entry.subject} />],
        [t.channel, t.channels[entry.channel]],
        [t.purpose, <Purpose key="purpose" of={entry.purpose} />],
        [t.action, <Said key="action" action={entry.action} />],
        [t.at, <Time key="at" at={entry.at} to="second" />],
        [t.recordedAt, <Time key="recorded" at={entry.recorded_at} to="second" />],
        [t.source, t.sources[entry.source]],
        ...Object.entries(entry.evidence).map(
          ([name, value]) =>
            [
              names[name] ?? name,
              <Text key={name} span inherit dir="auto" className="break-anywhere">
                {String(value)}
              </Text>,
            ] as const,
        ),
        [t.digest, digest(entry.digest)],
        [t.previous, digest(entry.previous)],
        [t.subjectDigest, digest(entry.subject_digest)],
      ]}
    />
  );
}
