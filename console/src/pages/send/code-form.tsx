import { Autocomplete, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { hintBelow } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Muted } from '../../components/text.tsx';
import { Amount } from '../../components/values.tsx';
import { PlaceholderArea } from '../../features/composing/placeholder-area.tsx';
import { withNames, withoutNames } from '../../features/composing/placeholders.ts';
import { useEstimate } from '../../features/composing/use-estimate.ts';
import { TextPreview } from '../../features/handset/phone-preview.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { CheckCode } from './check-code.tsx';
import { OneRecipient } from './one-recipient.tsx';
import { Part } from './part.tsx';
import { readPhones } from './recipients.ts';
import { type ComposerProps, SendForm, usePlacedRefusal, useSending } from './send-form.tsx';
import { useComposerTexts } from './use-composer-texts.ts';
import { useSender } from './use-senders.ts';

/** Placeholder of the code in a text, and its value in the preview. */
const PLACEHOLDER = '[code]';
const EXAMPLE = '123456';
/** So long that the text with the code in it is no longer than other texts. */
const MAX_TEXT = 1_005;

/** Inputs that show the service's error of a field. */
const refusalPlaces = { phone: 'phone', source: 'source', text: 'text' } as const;

/**
 * Sends a one-time code to one phone; afterwards the composer asks for the code. There are no drafts, because a code is sent
 * immediately.
 */
export default function CodeForm({ start: { request } }: ComposerProps) {
  const { send: t } = useTexts();
  const [sentTo, setSentTo] = useState<string>();
  const [values, setValues] = useState({
    source: '',
    text: withoutNames(t.code.defaultText, [{ wire: PLACEHOLDER, name: t.code.code }]),
    phone: (request?.phones as string[] | undefined)?.[0] ?? '',
  });
  if (sentTo !== undefined) return <CheckCode phone={sentTo} onAgain={() => setSentTo(undefined)} />;
  return (
    <Compose
      values={values}
      change={(changes) => setValues((before) => ({ ...before, ...changes }))}
      onSent={() => setSentTo(values.phone.trim())}
    />
  );
}

interface Values {
  readonly source: string;
  readonly text: string;
  readonly phone: string;
}

function Compose({
  values: { source: given, text, phone },
  change,
  onSent,
}: {
  readonly values: Values;
  readonly change: (changes: Partial<Values>) => void;
  readonly onSent: () => void;
}) {
  const { send: t } = useTexts();
  const { content } = useComposerTexts();
  const done = useDone();
  const from = useSender('sms', given, (value) => change({ source: value }));
  const source = from.sender;
  const area = useRef<HTMLTextAreaElement>(null);
  const placeholders = [{ wire: PLACEHOLDER, name: t.code.code }];
  const { phones, bad } = readPhones(phone);
  const problems = {
    source: source.trim() === '' ? t.noSender : undefined,
    text: text.includes(PLACEHOLDER) ? undefined : t.code.placeholderMissing,
    phone: phones.length === 1 && bad.length === 0 ? undefined : t.code.onePhone,
  };
  const body = { phone: phone.trim(), source: source.trim(), text, includes_international: true };
  const sending = useSending(problems, false, async () => {
    await client.POST('/v1/otp', { body });
    void done(t.code.sent, '/v1/otp/hours', '/v1/otp/applications', '/v1/otp/conversion', '/v1/wallet');
    onSent();
  });
  const estimate = useEstimate('code-estimate', sending.problem === undefined ? body : undefined, (asked) =>
    client.POST('/v1/otp/estimate', { body: asked }),
  );
  const refusal = usePlacedRefusal(estimate.error ?? sending.error, refusalPlaces);
  const { data } = estimate;
  return (
    <SendForm
      sending={{ ...sending, error: sending.error && refusal.rest }}
      later={false}
      estimate={{ ...estimate, error: refusal.rest, data: data && { ...data, recipients: 1 } }}
      hint={sending.problem ?? Object.values(refusal.at)[0] ?? t.estimating}
      side={
        <TextPreview
          sender={source.trim() || t.sender}
          text={data?.text ?? text.replaceAll(PLACEHOLDER, EXAMPLE)}
        />
      }
    >
      <OneRecipient
        phone={phone}
        onChange={(value) => change({ phone: value })}
        error={sending.shown(problems.phone) ?? refusal.at.phone}
      />
      <Part title={content} lead={t.code.lead}>
        <Autocomplete
          label={t.sender}
          {...from.input}
          error={sending.shown(problems.source) ?? refusal.at.source}
          maxLength={50}
          maw={320}
        />
        <PlaceholderArea
          area={area}
          label={t.text}
          description={t.code.textHint}
          {...hintBelow}
          autosize
          minRows={2}
          maxLength={MAX_TEXT}
          value={withNames(text, placeholders)}
          onChange={(event) => change({ text: withoutNames(event.currentTarget.value, placeholders) })}
          error={sending.shown(problems.text) ?? refusal.at.text}
        />
        {data && (
          <Group gap="xs" className="text-measure">
            <Text component="b">{t.parts(data.parts)}</Text>
            <Muted size="xs">
              {t.cost}: <Amount value={data.cost} unit />
            </Muted>
          </Group>
        )}
      </Part>
    </SendForm>
  );
}
