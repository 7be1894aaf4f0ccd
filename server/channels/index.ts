import { chatChannel } from './chat/channel.ts';
import { Channels } from './contract/channels.ts';
import { mailChannel } from './mail/channel.ts';
import { smsChannel } from './sms/channel.ts';
import { voiceChannel } from './voice/channel.ts';

/** Every channel, in the order in which APIs and the console name them. */
export const channels = new Channels([smsChannel, chatChannel, mailChannel, voiceChannel]);
