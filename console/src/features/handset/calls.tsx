import { Phone as PhoneIcon, PhoneIncoming } from 'lucide-react';
import { type ReceivedCall, usePhoneActions } from '../../api/sandbox-phone.ts';
import { Phone } from '../../components/values.tsx';
import { localeOf } from '../../i18n/languages.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { ClockTime, EmptyScreen, LineForm, useClock, useNotice } from './screen.tsx';

const DECLINED = 603;

/** Calls that the phone answered, each to be heard again; and a number to be called from it. */
export default function Calls({
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
          <EmptyScreen title={handset.noCalls} hint={handset.noCallsHint} />
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
  const clock = useClock();
  const seconds = call.seconds.toLocaleString(localeOf(language), {
    maximumFractionDigits: call.seconds < 10 ? 1 : 0,
  });
  return (
    <li className="call">
      <span className="call-head">
        <PhoneIncoming size={17} aria-hidden />
        <span className="thread-peer">
          <Phone number={call.from} />
        </span>
        <ClockTime at={call.at} />
      </span>
      <span className="call-facts">
        {handset.callSeconds(seconds)} · {handset.ended[call.ended]}
      </span>
      {/* biome-ignore lint/a11y/useMediaCaption: the spoken text is displayed below */}
      <audio controls preload="none" src={call.audio} aria-label={handset.recording(clock(call.at))} />
      {call.text !== '' && (
        <p className="call-text" dir="auto">
          {call.text}
        </p>
      )}
    </li>
  );
}

function CallOut({ number }: { readonly number: string }) {
  const { handset } = useTexts();
  const actions = usePhoneActions(number);
  const { notice, setNotice, act } = useNotice();
  return (
    <>
      {notice}
      <LineForm
        label={handset.callTo}
        action={handset.call}
        icon={<PhoneIcon size={16} aria-hidden />}
        dir="ltr"
        inputMode="tel"
        onSend={async (to) => {
          await act(async () => {
            const { status } = await actions.call(to.trim());
            setNotice(status === DECLINED ? handset.callDeclined : handset.callAnswer(status));
          });
          return false;
        }}
      />
    </>
  );
}
