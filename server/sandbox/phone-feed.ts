import type { Arrival, PhoneFeed } from '../live/hub.ts';
import type { ChatPhoneMessage, ChatPhones } from './chat-platform/phones.ts';
import type { PhoneSms, Phones } from './smsc/phones.ts';
import type { SandboxVoice, ShownCall } from './voice.ts';

const sms = (phone: string, item: PhoneSms): Arrival => ({ phone, kind: 'sms', at: item.at, item });
const chat = (phone: string, item: ChatPhoneMessage): Arrival => ({ phone, kind: 'chat', at: item.at, item });
/** A call comes when it is over. */
const call = (phone: string, item: ShownCall): Arrival => ({
  phone,
  kind: 'call',
  at: new Date(Date.parse(item.at) + item.seconds * 1_000).toISOString(),
  item,
});

/** What comes to the simulated phones, of every channel. */
export function phoneFeed(
  ofSms: Phones,
  ofChat: ChatPhones,
  ofCalls: Pick<SandboxVoice, 'calls' | 'list'>,
): PhoneFeed {
  return {
    list: (phone) => [
      ...ofSms.list(phone).map((item) => sms(phone, item)),
      ...ofChat.list(phone).map((item) => chat(phone, item)),
      ...ofCalls.list(phone).map((item) => call(phone, item)),
    ],
    listen(heard) {
      const hearSms = (phone: string, item: PhoneSms) => heard(sms(phone, item));
      const hearChat = (phone: string, item: ChatPhoneMessage) => heard(chat(phone, item));
      const hearCall = (phone: string, item: ShownCall) => heard(call(phone, item));
      ofSms.on('arrived', hearSms);
      ofChat.on('arrived', hearChat);
      ofCalls.calls.on('arrived', hearCall);
      return () => {
        ofSms.off('arrived', hearSms);
        ofChat.off('arrived', hearChat);
        ofCalls.calls.off('arrived', hearCall);
      };
    },
  };
}
