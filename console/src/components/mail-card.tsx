import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { Card } from './card.tsx';
import { MailFrame, MailText } from './mail-frame.tsx';

const formats = ['html', 'text'] as const;

/** Which of the formats that a mail has is shown, and a control that changes it; null for a mail with one format. */
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

/** A mail as HTML or as plain text, below what `children` say of it. `height` of the HTML in pixels. */
export function MailCard({
  title,
  lead,
  html,
  text,
  height,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly html: string | null;
  readonly text: string | null;
  readonly height: number;
  readonly children: ReactNode;
}) {
  const { mailCampaigns: t } = useTexts();
  const { control, isHtml } = useMailFormat(html, text);
  return (
    <Card title={title} lead={lead} actions={control}>
      {children}
      {isHtml && html !== null && <MailFrame html={html} title={t.previewFrame} height={height} />}
      {!isHtml && text !== null && <MailText text={text} />}
    </Card>
  );
}
