import { TextInput } from '@mantine/core';
import { Phone as PhoneIcon, PhoneIncoming } from 'lucide-react';
import { useState } from 'react';
import { type ReceivedCall, usePhoneActions } from '../../api/sandbox.ts';
import { Action } from '../../components/action.tsx';
import { errorText } from '../../components/states.tsx';
import { Phone } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';

const DECLINED = 603;

/** Calls that the phone answered, each to be heard again; and a number to be called from it. */
export function Calls({
  number,
  calls,
}: {
  readonly number: string;
  readonly calls: readonly ReceivedCall[];
}) {
  const { handset } = useTexts();
  return (
    <>
      <div className="handset-body">
        {calls.length === 0 ? (
          <div className="handset-empty">
            <p className="handset-empty-title">{handset.noCalls}</p>
            <p>{handset.noCallsHint}</p>
          </div>
        ) : (
          <ul className="threads" aria-label={handset.calls}>
            {calls.toReversed().map((call) => (
              <OneCall key={call.id} call={call} />
            ))}
          </ul>
        )}
      </div>
      <CallOut number={number} />
    </>
  );
}

function OneCall({ call }: { readonly call: ReceivedCall }) {
  const { handset } = useTexts();
  const language = useLanguage();
  const locale = language === 'he' ? 'he-IL' : 'en-GB';
  const time = new Date(call.at).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
  const seconds = call.seconds.toLocaleString(locale, { maximumFractionDigits: call.seconds < 10 ? 1 : 0 });
  return (
    <li className="call">
      <span className="call-head">
        <PhoneIncoming size={17} aria-hidden />
        <span className="thread-peer">
          <Phone number={call.from} />
        </span>
        <time dateTime={call.at} className="bubble-time">
          <bdi dir="ltr">{time}</bdi>
        </time>
      </span>
      <span className="call-facts">
        {handset.callSeconds(seconds)} · {handset.ended[call.ended]}
      </span>
      {/* biome-ignore lint/a11y/useMediaCaption: what is said stands below it */}
      <audio controls preload="none" src={call.audio} aria-label={handset.recording(time)} />
      {call.text !== '' && (
        <p className="call-text" dir="auto">
          {call.text}
        </p>
      )}
    </li>
  );
}

function CallOut({ number }: { readonly number: string }) {
  const texts = useTexts();
  const { handset } = texts;
  const actions = usePhoneActions(number);
  const [to, setTo] = useState('');
  const [busy, setBusy] = useState(false);
  const [notice, setNotice] = useState<string>();

  async function call() {
    setNotice(undefined);
    setBusy(true);
    try {
      const { status } = await actions.call(to.trim());
      setNotice(status === DECLINED ? handset.callDeclined : handset.callAnswer(status));
    } catch (error) {
      setNotice(errorText(error, texts));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      {notice !== undefined && (
        <p className="handset-notice" role="status" dir="auto">
          {notice}
        </p>
      )}
      <form
        className="handset-compose"
        onSubmit={(event) => {
          event.preventDefault();
          if (to.trim() !== '') void call();
        }}
      >
        <TextInput
          size="xs"
          radius="xl"
          flex={1}
          dir="ltr"
          inputMode="tel"
          aria-label={handset.callTo}
          placeholder={handset.callTo}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Action
          icon={PhoneIcon}
          type="submit"
          size="compact-sm"
          radius="xl"
          loading={busy}
          disabled={to.trim() === ''}
        >
          {handset.call}
        </Action>
      </form>
    </>
  );
}
