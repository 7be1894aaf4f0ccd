import { type CarrierConfiguration, noCarriers, readCarriers } from '../engine/carriers/configuration.ts';
import { removalWordOf } from '../engine/messages/removal-reply.ts';
import type { Config } from '../kit/config.ts';
import { createKosherCheck, kosherTable } from '../kit/numbers/kosher.ts';
import type { Role } from '../kit/process-roles.ts';
import { policyOf } from '../modules/otp/policy.ts';
import { type AppContext, publicUrl, switchOf } from './app-context.ts';
import type { SandboxHandle } from './sandbox-handle.ts';

/** Settings, roles of this process and the sandbox, as modules use them. */
export interface RunSettings {
  readonly config: Config;
  /** Whether this process has a role. */
  readonly has: (role: Role) => boolean;
  /** Connectors and routes of the settings. */
  readonly configured: CarrierConfiguration;
  /** Whether nobody but this machine reaches the service: a sandbox on loopback. */
  readonly isPrivate: boolean;
  /** Whether webhooks and media may be at private addresses. */
  readonly allowPrivate: boolean;
  /** How long delivery of a message is tried, in milliseconds. */
  readonly validityMs: number;
  /** Time zone of accounts without a time zone. */
  readonly defaultZone: string;
  /** Whether a source must be verified or approved. */
  readonly verifySources: boolean;
  /** Address of the pages of the service, without a slash at the end. */
  readonly pageBase: () => string;
  /** Beginning of short links, without a slash at the end. */
  readonly linkBase: () => string;
  /** Limits of one-time codes, and the settings of the fraud guard. */
  readonly codePolicy: ReturnType<typeof policyOf>;
  /** The number that landlines call to be verified. */
  readonly callNumber: string | undefined;
  readonly isKosher: ReturnType<typeof createKosherCheck>;
  /** The word to reply for removal, by language. */
  readonly removalWord: ReturnType<typeof removalWordOf>;
}

/**
 * Reads the settings of a run. Throws ConfigError for carriers that cannot be used.
 *
 * @param url where the service answers, once it does
 */
export function runSettingsOf(
  { config }: Pick<AppContext, 'config'>,
  wanted: readonly Role[],
  sandbox: SandboxHandle | undefined,
  url: () => string | undefined,
): RunSettings {
  const isPrivate = sandbox !== undefined && !config.SANDBOX_PUBLIC;
  const pageBase = () => url() ?? publicUrl(config);
  return {
    config,
    has: (role) => wanted.includes(role),
    configured: sandbox?.carriers ?? readCarriers(config) ?? noCarriers,
    isPrivate,
    allowPrivate: switchOf(config.WEBHOOKS_TO_PRIVATE_ADDRESSES, isPrivate),
    validityMs: config.VALIDITY_HOURS * 3_600_000,
    defaultZone: config.TIME_ZONE,
    verifySources: switchOf(config.VERIFY_SOURCES, sandbox === undefined),
    pageBase,
    linkBase: () => config.SHORT_LINK_DOMAIN ?? pageBase(),
    codePolicy: policyOf(config, switchOf(config.OTP_BRAKE, sandbox === undefined)),
    callNumber: config.VERIFY_CALL_NUMBER ?? sandbox?.callNumber,
    isKosher: createKosherCheck(config.VOICE_KOSHER_PREFIXES?.split(',') ?? kosherTable.prefixes),
    removalWord: removalWordOf(config.REMOVAL_WORDS),
  };
}
