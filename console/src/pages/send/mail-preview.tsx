import { Text } from '@mantine/core';
import { client } from '../../api/client.ts';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { MailCard } from '../../components/mail-card.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { RecipientFlip } from '../../features/composing/recipient-flip.tsx';
import { useEstimate } from '../../features/composing/use-estimate.ts';
import { type Flip, useFlip } from '../../features/composing/use-flip.ts';
import { useMailViews } from '../../features/mail/mail-views.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

const FRAME_HEIGHT = 360;

/** Renders an email for the recipients of a list, one after the other; nothing while `content` is undefined. */
export function useMailPreview(
  content: RequestBody<'/v1/mail/campaigns/preview'> | undefined,
  list: string | undefined,
) {
  const flip = useFlip(list);
  const asked = content && { ...content, after: flip.after };
  const preview = useEstimate('mail-preview', asked, (body) =>
    client.POST('/v1/mail/campaigns/preview', { body }),
  );
  return { ...preview, flip };
}

/** Preview of an email as one recipient gets it; undefined while the email is empty. */
export function MailPreview({
  preview,
  flip,
  from,
  error,
}: {
  readonly preview: Answer<'/v1/mail/campaigns/preview', 'POST'> | undefined;
  readonly flip: Flip;
  readonly from: string;
  readonly error: unknown;
}) {
  const { mailCampaigns: t } = useTexts();
  const views = useMailViews();
  const { subject, html = null, text = null } = preview ?? {};
  return (
    <MailCard
      title={t.preview}
      lead={t.previewOf}
      html={html}
      text={text}
      height={FRAME_HEIGHT}
      views={preview && views({ html, text })}
    >
      <ErrorNote error={error} />
      {preview && (
        <div>
          <Text fw={600} dir="auto">
            {subject}
          </Text>
          <Muted size="xs">
            <bdi>{from}</bdi>
          </Muted>
        </div>
      )}
      {preview && preview.address !== null && (
        <RecipientFlip flip={flip} recipient={<bdi>{preview.address}</bdi>} next={preview.next} />
      )}
      {!preview && error === null && <Muted>{t.nothingWritten}</Muted>}
    </MailCard>
  );
}
