import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { publicUrl, switchOf } from './app-context.ts';
import type { DkimSettings } from './carriers/smtp/connector.ts';
import { readRelay } from './carriers/smtp/relay.ts';
import { type Config, ConfigError } from './config.ts';
import type { ChatAccess, SandboxHandle } from './sandbox-handle.ts';

/** How to reach the chat platform of the settings. */
export function chatAccessOf(config: Config): ChatAccess {
  return {
    url: config.CHAT_PLATFORM_URL,
    appId: config.CHAT_APP_ID ?? '',
    appSecret: config.CHAT_APP_SECRET ?? '',
    verifyToken: config.CHAT_VERIFY_TOKEN ?? '',
  };
}

/** What mails are sent with: by the relay of the settings, else in the sandbox by its own mail server. */
export function mailSettings(config: Config, sandbox: SandboxHandle | undefined) {
  const relayUrl = config.MAIL_RELAY_URL ?? (sandbox && `smtp://127.0.0.1:${sandbox.mail.port}`);
  const bounceDomain = config.MAIL_BOUNCE_DOMAIN ?? (sandbox && 'bounces.sandbox.invalid');
  const { hostname } = new URL(publicUrl(config));
  return {
    relay: relayUrl === undefined ? undefined : usable('MAIL_RELAY_URL', () => readRelay(relayUrl)),
    bounceDomain,
    dkim: readDkim(config),
    from: config.MAIL_FROM ?? `no-reply@${bounceDomain ?? hostname}`,
    validityMs: config.VALIDITY_HOURS * 3_600_000,
    checkSenders: switchOf(config.VERIFY_SOURCES, sandbox === undefined),
  };
}

function readDkim({
  MAIL_DKIM_DOMAIN,
  MAIL_DKIM_SELECTOR,
  MAIL_DKIM_KEY_FILE,
}: Config): DkimSettings | undefined {
  if (MAIL_DKIM_DOMAIN === undefined || MAIL_DKIM_KEY_FILE === undefined) return undefined;
  const privateKey = usable('MAIL_DKIM_KEY_FILE', () => {
    const pem = readFileSync(MAIL_DKIM_KEY_FILE, 'utf8');
    createPrivateKey(pem);
    return pem;
  });
  return { domainName: MAIL_DKIM_DOMAIN, keySelector: MAIL_DKIM_SELECTOR, privateKey };
}

/** What is read of a setting. Throws ConfigError with why it cannot be used. */
function usable<T>(setting: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(`${setting} cannot be used: ${(error as Error).message}`);
  }
}
