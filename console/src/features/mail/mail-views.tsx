import { Text } from '@mantine/core';
import { RowsTable } from '../../components/data-table.tsx';
import type { MailView } from '../../components/mail-card.tsx';
import { MailFrame } from '../../components/mail-frame.tsx';
import { Muted } from '../../components/text.tsx';
import { StatusBadge, type Tone } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { checkMail, type MailCheck } from './mail-checks.ts';
import { type LinkState, linksOfMail } from './mail-links.ts';

interface MailWords {
  readonly html: string | null;
  readonly text: string | null;
}

/** Additional views of an email: inverted colours, the source of its HTML, its checked links, and further checks. */
export function useMailViews() {
  const { mailViews: t, mailCampaigns } = useTexts();
  return ({ html, text }: MailWords): MailView[] => {
    const links = { key: 'links', label: t.links, show: () => <Links html={html} text={text} /> };
    if (html === null) return [links];
    const checks = checkMail(html, text);
    return [
      {
        key: 'dark',
        label: t.dark,
        show: () => (
          <>
            <Muted size="xs">{t.darkHint}</Muted>
            <MailFrame html={html} title={mailCampaigns.previewFrame} height={FRAME_HEIGHT} isInverted />
          </>
        ),
      },
      { key: 'html-source', label: t.htmlSource, show: () => <Code label={t.htmlSource} text={html} /> },
      links,
      {
        key: 'checks',
        label: t.checks(checks.filter(({ isGood }) => !isGood).length),
        show: () => <Checks checks={checks} />,
      },
    ];
  };
}

function Checks({ checks }: { readonly checks: readonly MailCheck[] }) {
  const { mailViews: t } = useTexts();
  const language = useLanguage();
  return (
    <RowsTable
      caption={t.checks(0)}
      minWidth={280}
      rows={checks}
      rowKey={({ check }) => check}
      columns={[
        {
          title: t.checked,
          cell: ({ check, isGood, found }) => (
            <>
              <Text size="sm">{t.checkNames[check]}</Text>
              {!isGood && <Muted size="xs">{t.checkProblems[check](found.toLocaleString(language))}</Muted>}
            </>
          ),
        },
        {
          title: t.result,
          align: 'end',
          cell: ({ isGood }) => (
            <StatusBadge tone={isGood ? 'good' : 'warning'}>{isGood ? t.states.good : t.improve}</StatusBadge>
          ),
        },
      ]}
    />
  );
}

/** Pixels. */
const FRAME_HEIGHT = 420;

/** Source text in a scrollable box. */
export function Code({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long content needs scrolling with the keyboard
    <section className="mail-code" aria-label={label} tabIndex={0}>
      <pre dir="ltr">{text}</pre>
    </section>
  );
}

const tones: Readonly<Record<LinkState, Tone>> = {
  good: 'good',
  nowhere: 'neutral',
  field: 'warning',
  unknown: 'bad',
};

function Links({ html, text }: { readonly html: string | null; readonly text: string | null }) {
  const { mailViews: t } = useTexts();
  const links = linksOfMail(html, text);
  if (links.length === 0) return <Muted>{t.noLinks}</Muted>;
  return (
    <RowsTable
      caption={t.linksOf(links.length)}
      minWidth={280}
      rows={links.map((link, index) => ({ ...link, index }))}
      rowKey={({ index }) => index}
      columns={[
        {
          title: t.linkText,
          cell: ({ text: words, address }) => (
            <>
              <Text size="sm">
                <bdi>{words || t.noText}</bdi>
              </Text>
              <Muted size="xs">
                <bdi dir="ltr" className="mail-address">
                  {address}
                </bdi>
              </Muted>
            </>
          ),
        },
        {
          title: t.linkState,
          align: 'end',
          cell: ({ state }) => <StatusBadge tone={tones[state]}>{t.states[state]}</StatusBadge>,
        },
      ]}
    />
  );
}
