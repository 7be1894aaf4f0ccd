import { createHmac } from 'node:crypto';
import { chatSettings } from '../../channels/chat/settings.ts';
import type { Sql } from '../../database/connection.ts';
import { type Config, settingsOf } from '../../kit/config.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

/** Values that every process of a shared sandbox derives itself: the ports of the networks, and their secrets. */
export interface SharedAddresses {
  /** On 127.0.0.1; `api` is the port of `networks-server.ts`. */
  readonly ports: Record<'smpp' | 'chat' | 'mail' | 'sip' | 'api', number>;
  /** Key with which processes call that API. */
  readonly apiKey: string;
  readonly chatSecrets: { readonly appSecret: string; readonly verifyToken: string };
}

/** Returns the addresses from the settings, and the secrets derived from a key of the installation. */
export async function sharedAddresses(
  sql: Sql,
  secrets: SecretBox,
  config: Config,
): Promise<SharedAddresses> {
  const key = await installationKey(sql, secrets, 'sandbox');
  const secret = (purpose: string) => createHmac('sha256', key).update(purpose).digest('base64url');
  const first = config.SANDBOX_PORT;
  const { CHAT_APP_SECRET, CHAT_VERIFY_TOKEN } = settingsOf(config, chatSettings);
  return {
    ports: { smpp: first, chat: first + 1, mail: first + 2, sip: first + 3, api: first + 4 },
    apiKey: secret('api'),
    chatSecrets: {
      appSecret: CHAT_APP_SECRET ?? secret('chat app'),
      verifyToken: CHAT_VERIFY_TOKEN ?? secret('chat webhooks'),
    },
  };
}
