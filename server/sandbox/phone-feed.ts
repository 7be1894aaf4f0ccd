import type { Arrival, PhoneFeed } from '../live/hub.ts';
import type { ChatPhoneMessage, ChatPhones } from './chat-platform/phones.ts';
import type { PhoneSms, Phones } from './smsc/phones.ts';

const sms = (phone: string, item: PhoneSms): Arrival => ({ phone, kind: 'sms', at: item.at, item });
const chat = (phone: string, item: ChatPhoneMessage): Arrival => ({ phone, kind: 'chat', at: item.at, item });

/** What comes to the simulated phones, of every channel. */
export function phoneFeed(ofSms: Phones, ofChat: ChatPhones): PhoneFeed {
  return {
    list: (phone) => [
      ...ofSms.list(phone).map((item) => sms(phone, item)),
      ...ofChat.list(phone).map((item) => chat(phone, item)),
    ],
    listen(heard) {
      const hearSms = (phone: string, item: PhoneSms) => heard(sms(phone, item));
      const hearChat = (phone: string, item: ChatPhoneMessage) => heard(chat(phone, item));
      ofSms.on('arrived', hearSms);
      ofChat.on('arrived', hearChat);
      return () => {
        ofSms.off('arrived', hearSms);
        ofChat.off('arrived', hearChat);
      };
    },
  };
}
