import { switchOf } from '../app-context.ts';
import { readCarriers } from '../carriers/configuration.ts';
import type { Config } from '../config.ts';

/** Whether `carillon start` runs the sandbox with these settings. */
export function sandboxWanted(config: Config): boolean {
  const { CHAT_APP_SECRET: chat, MAIL_RELAY_URL: relay } = config;
  return switchOf(config.SANDBOX, readCarriers(config) === null && chat === undefined && relay === undefined);
}
