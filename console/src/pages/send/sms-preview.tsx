import { client } from '../../api/client.ts';
import type { RequestBody } from '../../api/operations.ts';
import { Amount, Phone } from '../../components/values.tsx';
import { RecipientFlip } from '../../features/composing/recipient-flip.tsx';
import { useEstimate } from '../../features/composing/use-estimate.ts';
import { useFlip } from '../../features/composing/use-flip.ts';
import { TextPreview } from '../../features/handset/phone-preview.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** A text on a phone; of a send to contact lists, as one of their contacts gets it. */
export function SmsPreview({
  sender,
  body,
  text,
}: {
  readonly sender: string;
  /** Undefined while nothing is written. */
  readonly body: RequestBody<'/v1/sms/estimate'> | undefined;
  /** The text for a recipient who is in no list. */
  readonly text: string;
}) {
  const { send: t } = useTexts();
  const list = body?.lists?.[0];
  const flip = useFlip(list);
  const asked = body && list !== undefined ? previewOf(body, list, flip.after) : undefined;
  const { data } = useEstimate('sms-preview', asked, (wanted) =>
    client.POST('/v1/sms/preview', { body: wanted }),
  );
  return (
    <>
      {data && data.phone !== null && (
        <RecipientFlip flip={flip} recipient={<Phone number={data.phone} />} next={data.next}>
          {t.parts(data.parts)} · <Amount value={data.cost} unit />
        </RecipientFlip>
      )}
      <TextPreview sender={sender} text={data?.text ?? text} />
    </>
  );
}

const previewOf = (
  { message, links, dynamic, removal }: RequestBody<'/v1/sms/estimate'>,
  list: string,
  after: string,
) => ({ message, links, dynamic, removal, list, after });
