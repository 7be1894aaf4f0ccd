import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../i18n/use-texts.tsx';
import { Card } from './card.tsx';
import { MailFrame, MailText } from './mail-frame.tsx';

const formats = ['html', 'text'] as const;

/** The displayed format of an email, with a control that changes it; null for an email with one format. */
export function useMailFormat(html: string | null, text: string | null) {
  const { mailCampaigns: t } = useTexts();
  const [wanted, setWanted] = useState<(typeof formats)[number]>('html');
  const control = html !== null && text !== null && (
    <SegmentedControl
      size="xs"
      aria-label={t.form}
      value={wanted}
      onChange={setWanted}
      data={formats.map((value) => ({ value, label: t[value] }))}
    />
  );
  return { control, isHtml: html !== null && (wanted === 'html' || text === null) };
}

/** An additional view of an email, next to its HTML and its plain text. */
export interface MailView {
  readonly key: string;
  readonly label: string;
  readonly show: () => ReactNode;
}

/** Shows an email as HTML, as plain text, or as one of `views`, below `children`. `height` of the HTML in pixels. */
export function MailCard({
  title,
  lead,
  html,
  text,
  height,
  views,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly html: string | null;
  readonly text: string | null;
  readonly height: number;
  readonly views?: readonly MailView[] | undefined;
  readonly children: ReactNode;
}) {
  const { mailCampaigns: t } = useTexts();
  const [wanted, setWanted] = useState('html');
  const all: readonly MailView[] = [
    ...(html === null
      ? []
      : [
          {
            key: 'html',
            label: t.html,
            show: () => <MailFrame html={html} title={t.previewFrame} height={height} />,
          },
        ]),
    ...(text === null ? [] : [{ key: 'text', label: t.text, show: () => <MailText text={text} /> }]),
    ...(views ?? []),
  ];
  const shown = all.find(({ key }) => key === wanted) ?? all[0];
  const control = all.length > 1 && (
    <div className="mail-views">
      <SegmentedControl
        size="xs"
        aria-label={t.form}
        value={shown?.key ?? ''}
        onChange={setWanted}
        data={all.map(({ key, label }) => ({ value: key, label }))}
      />
    </div>
  );
  return (
    <Card title={title} lead={lead} actions={views === undefined && control}>
      {children}
      {views !== undefined && control}
      {shown?.show()}
    </Card>
  );
}
