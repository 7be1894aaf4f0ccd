import { Alert, Group, Radio, Select, Stack, Switch, Text } from '@mantine/core';
import { PhoneOff } from 'lucide-react';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { Muted } from '../../components/text.tsx';
import { CallPreview } from '../../features/handset/call-preview.tsx';
import { Listen } from '../../features/messages/listen.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

type Body = RequestBody<'/v1/sms'>;
type Estimate = Answer<'/v1/sms/estimate', 'POST'>;

/** How a text is read aloud. */
type Speech = Required<NonNullable<Body['tts']>>;
/** The same while it is composed: each delivery has its own cost, so that none is chosen at first. */
export type SpeechChoice = Omit<Speech, 'type'> & { readonly type: Speech['type'] | null };
/** Part of the estimate about calls. */
export type Spoken = NonNullable<Estimate['voice']>;

/** Calls to everyone, and nothing in writing. */
export const CALL_ONLY = 4;
/** Deliveries of an SMS that is also read aloud; drafts and earlier sends can be calls only. */
const TYPES = [2, 3] as const;
const VOICES = ['ymMale', 'ymFemale'] as const;
const RATES = [-10, -5, 0, 5, 10] as const;
const REPEATS = [1, 2, 3, 4, 5] as const;
const usual: SpeechChoice = { type: null, voice: 'ymMale', rate: 0, repeat: 2 };
/** A call in place of an SMS. */
export const callOnly: SpeechChoice = { ...usual, type: CALL_ONLY };

/**
 * Options for reading the text aloud by phone, with a preview of the spoken text. `isCall`: the text is a call, and no option of
 * an SMS. `SpokenPreview` is its preview.
 */
export function ReadAloud({
  value,
  onChange,
  message,
  spoken,
  error,
  isCall,
}: {
  readonly value: SpeechChoice | null;
  readonly onChange: (speech: SpeechChoice | null) => void;
  readonly message: string;
  /** Undefined while it is not known. */
  readonly spoken: Spoken | undefined;
  readonly error: string | undefined;
  readonly isCall: boolean;
}) {
  const { send } = useTexts();
  const t = send.aloud;
  const types = value?.type === CALL_ONLY ? ([...TYPES, CALL_ONLY] as const) : TYPES;
  return (
    <Stack gap="sm">
      {!isCall && (
        <Switch
          label={t.switch}
          description={t.switchHint}
          checked={value !== null}
          onChange={(event) => onChange(event.currentTarget.checked ? usual : null)}
        />
      )}
      {value !== null && (
        <>
          {spoken?.problem != null && (
            <Alert color="orange" icon={<PhoneOff />} title={t.cannot} role="alert">
              <bdi dir="ltr">{spoken.problem}</bdi>
            </Alert>
          )}
          {!isCall && (
            <Radio.Group
              label={t.type}
              value={value.type === null ? null : String(value.type)}
              error={error}
              onChange={(type) => onChange({ ...value, type: Number(type) as Speech['type'] })}
            >
              <Stack gap={6} mt={6}>
                {types.map((type) => (
                  <Radio
                    key={type}
                    value={String(type)}
                    label={t.types[type].name}
                    description={t.types[type].hint}
                  />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <Group gap="md" align="flex-start">
            <Select
              label={t.voice}
              data={VOICES.map((voice) => ({ value: voice, label: t.voices[voice] }))}
              value={value.voice}
              onChange={(voice) => onChange({ ...value, voice: (voice ?? 'ymMale') as Speech['voice'] })}
              allowDeselect={false}
              w={{ base: '100%', xs: 150 }}
            />
            <Select
              label={t.rate}
              data={RATES.map((rate) => ({ value: String(rate), label: t.rates[rate] }))}
              value={String(value.rate)}
              onChange={(rate) => onChange({ ...value, rate: Number(rate ?? 0) })}
              allowDeselect={false}
              w={{ base: '100%', xs: 150 }}
            />
            <Select
              label={t.repeat}
              data={REPEATS.map((times) => ({ value: String(times), label: t.times(times) }))}
              value={String(value.repeat)}
              onChange={(times) => onChange({ ...value, repeat: Number(times ?? 1) })}
              allowDeselect={false}
              w={{ base: '100%', xs: 130 }}
            />
          </Group>
          {!isCall && message.trim() !== '' && spoken !== undefined && (
            <Said speech={value} message={message} spoken={spoken} />
          )}
        </>
      )}
    </Stack>
  );
}

/** A call as a phone gets it, with its sound. `spoken`: undefined while it is not known. */
export function SpokenPreview({
  sender,
  speech: { voice, rate },
  message,
  spoken,
}: {
  readonly sender: string;
  readonly speech: SpeechChoice;
  readonly message: string;
  readonly spoken: Spoken | undefined;
}) {
  const { aloud } = useTexts().send;
  const said = message.trim() === '' ? undefined : spoken;
  return (
    <CallPreview sender={sender} text={said ? said.text || aloud.nothing : ''}>
      {said && said.text !== '' && (
        <>
          <Muted size="xs">{aloud.saidHint}</Muted>
          <Listen speech={{ text: message, voice, rate }} disabled={said.speech_problem !== null} />
        </>
      )}
    </CallPreview>
  );
}

/** The spoken text and its sound. */
function Said({
  speech: { voice, rate },
  message,
  spoken,
}: {
  readonly speech: SpeechChoice;
  readonly message: string;
  readonly spoken: Spoken;
}) {
  const { send } = useTexts();
  const t = send.aloud;
  return (
    <section className="said" aria-label={t.said}>
      <Text size="sm" fw={600}>
        {t.said}
      </Text>
      {spoken.text === '' ? (
        <Muted>{t.nothing}</Muted>
      ) : (
        <>
          <p className="said-text" dir="auto">
            {spoken.text}
          </p>
          <Muted size="xs">{t.saidHint}</Muted>
          <Listen speech={{ text: message, voice, rate }} disabled={spoken.speech_problem !== null} />
        </>
      )}
    </section>
  );
}
