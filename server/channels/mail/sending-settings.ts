import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from '../../kit/config.ts';
import type { ValuesOf } from '../../kit/setting.ts';
import type { DkimSettings } from '../../protocols/smtp/dkim.ts';
import { readRelay } from '../../protocols/smtp/relay.ts';
import type { mailSettings } from './settings.ts';

type MailSettings = ValuesOf<typeof mailSettings>;

/**
 * Returns the configuration for sending emails: the relay of the settings, or in the sandbox its own mail server, which
 * listens on `sandboxPort`. `site` is the public address of the service. Throws ConfigError for an invalid relay or
 * key.
 */
export function sendingSettings(config: MailSettings, site: string, sandboxPort: number | undefined) {
  const isSandbox = sandboxPort !== undefined;
  const relayUrl = config.MAIL_RELAY_URL ?? (isSandbox ? `smtp://127.0.0.1:${sandboxPort}` : undefined);
  const bounceDomain = config.MAIL_BOUNCE_DOMAIN ?? (isSandbox ? 'bounces.sandbox.invalid' : undefined);
  const { hostname } = new URL(site);
  return {
    /** Undefined: emails cannot be sent. */
    relay: relayUrl === undefined ? undefined : usable('MAIL_RELAY_URL', () => readRelay(relayUrl)),
    bounceDomain,
    inboundDomain: config.MAIL_INBOUND_DOMAIN ?? (isSandbox ? 'replies.sandbox.invalid' : undefined),
    dkim: readDkim(config),
    /** Sender of the service's own emails. */
    from: config.MAIL_FROM ?? `no-reply@${bounceDomain ?? hostname}`,
  };
}

function readDkim({
  MAIL_DKIM_DOMAIN,
  MAIL_DKIM_SELECTOR,
  MAIL_DKIM_KEY_FILE,
}: MailSettings): DkimSettings | undefined {
  if (MAIL_DKIM_DOMAIN === undefined || MAIL_DKIM_KEY_FILE === undefined) return undefined;
  const privateKey = usable('MAIL_DKIM_KEY_FILE', () => {
    const pem = readFileSync(MAIL_DKIM_KEY_FILE, 'utf8');
    const { asymmetricKeyType } = createPrivateKey(pem);
    if (asymmetricKeyType !== 'rsa') throw new Error('it must be an RSA key');
    return pem;
  });
  return { domainName: MAIL_DKIM_DOMAIN, keySelector: MAIL_DKIM_SELECTOR, privateKey };
}

/** Returns the parsed value of a setting. Throws ConfigError with the reason why it is invalid. */
function usable<T>(setting: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(`${setting} cannot be used: ${(error as Error).message}`);
  }
}
