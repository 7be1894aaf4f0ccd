import { Text } from '@mantine/core';
import { RowsTable } from '../../components/data-table.tsx';
import type { MailView } from '../../components/mail-card.tsx';
import { Muted } from '../../components/text.tsx';
import { StatusBadge, type Tone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type LinkState, linksOfMail } from './mail-links.ts';

/** Additional views of an email: the source of its HTML, and its checked links. */
export function useMailViews() {
  const { mailViews: t } = useTexts();
  return ({ html, text }: { readonly html: string | null; readonly text: string | null }): MailView[] => [
    ...(html === null
      ? []
      : [{ key: 'html-source', label: t.htmlSource, show: () => <Code label={t.htmlSource} text={html} /> }]),
    { key: 'links', label: t.links, show: () => <Links html={html} text={text} /> },
  ];
}

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
