import { chatSettings } from '../channels/chat/settings.ts';
import { mailSettings } from '../channels/mail/settings.ts';
import { readCarriers } from '../engine/carriers/configuration.ts';
import { type Config, settingsOf } from '../kit/config.ts';
import { switchOf } from '../run/app-context.ts';

/** Whether chat messages and mails go to a real network with these settings. */
export const carriersOfChannels = (config: Config) => ({
  chat: settingsOf(config, chatSettings).CHAT_APP_SECRET !== undefined,
  mail: settingsOf(config, mailSettings).MAIL_RELAY_URL !== undefined,
});

/** Whether `carillon start` runs the sandbox with these settings. */
export function sandboxWanted(config: Config): boolean {
  const { chat, mail } = carriersOfChannels(config);
  return switchOf(config.SANDBOX, readCarriers(config) === null && !chat && !mail);
}
