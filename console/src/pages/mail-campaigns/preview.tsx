import { SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/types.ts';
import { Card } from '../../components/card.tsx';
import { MailFrame, MailText } from '../../components/mail-frame.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/texts.tsx';

export type Preview = Answer<'/v1/mail/campaigns/preview', 'post'>;

const FRAME_HEIGHT = 360;

/** A mail as one user would get it; undefined: nothing is written yet. */
export function MailPreview({
  preview,
  from,
  error,
}: {
  readonly preview: Preview | undefined;
  readonly from: string;
  readonly error: unknown;
}) {
  const { mailCampaigns: t } = useTexts();
  const [wanted, setWanted] = useState<'html' | 'text'>('html');
  const { html = null, text = null } = preview ?? {};
  const shown = wanted === 'html' ? (html === null ? 'text' : 'html') : text === null ? 'html' : 'text';
  return (
    <Card
      title={t.preview}
      lead={t.previewOf}
      actions={
        html !== null &&
        text !== null && (
          <SegmentedControl
            size="xs"
            aria-label={t.form}
            value={shown}
            onChange={setWanted}
            data={(['html', 'text'] as const).map((value) => ({ value, label: t[value] }))}
          />
        )
      }
    >
      <ErrorNote error={error} />
      {preview ? (
        <>
          <div>
            <Text fw={600} dir="auto">
              {preview.subject}
            </Text>
            <Muted size="xs">
              <bdi>{from}</bdi>
            </Muted>
          </div>
          {shown === 'html' && html !== null ? (
            <MailFrame html={html} title={t.previewFrame} height={FRAME_HEIGHT} />
          ) : (
            <MailText text={text ?? ''} />
          )}
        </>
      ) : (
        error === null && <Muted>{t.nothingWritten}</Muted>
      )}
    </Card>
  );
}
