import type { Sql } from '../database/connection.ts';
import { type CarrierConfiguration, singleConnector } from '../engine/carriers/configuration.ts';
import type { PhoneFeed } from '../engine/live/hub.ts';
import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config.ts';
import type { Logger } from '../kit/observability/log.ts';
import type { SandboxControls } from '../run/sandbox-handle.ts';
import { LatestArrivals } from './arrivals.ts';
import { deliveryTimes, type SandboxChat, startSandboxChat } from './chat.ts';
import { Endings } from './endings.ts';
import { type MailSink, openMailSink } from './mail/sink.ts';
import { phoneFeed } from './phone-feed.ts';
import { kosherError } from './smsc/simulated-outcomes.ts';
import { SandboxSmsc } from './smsc/smsc.ts';
import { SANDBOX_CALL_NUMBER, type SandboxVoice, startSandboxVoice } from './voice.ts';

const SYSTEM_ID = 'sandbox';
const KOSHER_STATUS = 15;
/** Maximum simultaneous calls on the sandbox's trunk. */
const CALLS_AT_ONCE = 100;

interface NetworksDeps {
  readonly config: Config;
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Ports of the networks, and the secrets of their webhooks. Defaults are free ports and random secrets. */
interface NetworksOptions {
  readonly ports?: {
    readonly smpp: number;
    readonly chat: number;
    readonly mail: number;
    readonly sip: number;
  };
  readonly chatSecrets: Parameters<typeof startSandboxChat>[0]['preset'];
}

/** Simulated peers of every protocol, on loopback. */
export interface Networks {
  readonly smsc: SandboxSmsc;
  /** The port of the SMSC. */
  readonly port: number;
  readonly chat: SandboxChat;
  readonly voice: SandboxVoice;
  readonly mail: MailSink;
  /** Arrivals at the phones. */
  readonly phones: PhoneFeed;
  /** Latest arrivals at the phones and mailboxes. */
  readonly arrivals: LatestArrivals;
  /** Endings that decide the outcome of messages and calls to a number. */
  readonly endings: Endings;
  /** Behaviour of the networks, for operators. */
  readonly settings: Pick<SandboxControls, 'read' | 'change'>;
  close(): Promise<void>;
}

/**
 * Opens all simulated networks. Rejects, with none of them left open, when one cannot be opened, for example because
 * its port is in use.
 */
export async function openNetworks(
  { config, sql, clock, log }: NetworksDeps,
  { ports, chatSecrets }: NetworksOptions,
): Promise<Networks> {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    await Promise.all(opened.map((end) => end()));
  };
  const deliveryMs = config.SANDBOX_RECEIPT_DELAY_MS;
  const endings = new Endings();
  try {
    const smsc = new SandboxSmsc({
      accounts: { [SYSTEM_ID]: SYSTEM_ID },
      log,
      clock,
      receiptDelayMs: deliveryMs,
      messagesPerSecond: config.SANDBOX_MESSAGES_PER_SECOND,
      endingOf: endings.of,
    });
    const port = await smsc.listen(ports?.smpp ?? 0, '127.0.0.1');
    opened.push(() => smsc.close());
    const chat = await startSandboxChat({
      sql,
      clock,
      log,
      messagesPerSecond: config.SANDBOX_CHAT_MESSAGES_PER_SECOND,
      deliveryMs,
      preset: chatSecrets,
      endingOf: endings.of,
      port: ports?.chat,
    });
    opened.push(() => chat.platform.close());
    const voice = await startSandboxVoice({
      clock,
      log,
      ringMs: config.SANDBOX_RING_MS,
      endingOf: endings.of,
      port: ports?.sip,
    });
    opened.push(() => voice.exchange.stop());
    const mail = await openMailSink({ clock, log, reportMs: deliveryMs, port: ports?.mail });
    opened.push(() => mail.close());
    const phones = phoneFeed(smsc.phones, chat.platform.phones, voice);
    const arrivals = new LatestArrivals(phones, mail.mailboxes);
    const settings = settingsOf(smsc, chat, clock);
    return { smsc, port, chat, voice, mail, phones, arrivals, endings, settings, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the configuration for the SMSC on this local port, and for the telephone exchange. */
export function carriersAt(port: number, exchangeUri: string): CarrierConfiguration {
  return singleConnector(
    {
      name: 'sandbox',
      host: '127.0.0.1',
      port,
      systemId: SYSTEM_ID,
      password: SYSTEM_ID,
      errorStatuses: { [kosherError]: KOSHER_STATUS },
      reconnectMinMs: 50,
      reconnectMaxMs: 1_000,
    },
    {
      name: 'sandbox-voice',
      uri: exchangeUri,
      callerId: SANDBOX_CALL_NUMBER,
      callsAtOnce: CALLS_AT_ONCE,
      callsPerSecond: 0,
    },
  );
}

function settingsOf(smsc: SandboxSmsc, chat: SandboxChat, clock: Clock): Networks['settings'] {
  return {
    read: async () => ({
      receiptDelayMs: smsc.behaviour.receiptDelayMs,
      messagesPerSecond: smsc.behaviour.messagesPerSecond,
      chatMessagesPerSecond: chat.platform.behaviour.messagesPerSecond,
      now: clock.now(),
    }),
    async change({ receiptDelayMs, messagesPerSecond, chatMessagesPerSecond }) {
      smsc.change({
        ...(receiptDelayMs !== undefined && { receiptDelayMs }),
        ...(messagesPerSecond !== undefined && { messagesPerSecond }),
      });
      chat.platform.change({
        ...(receiptDelayMs !== undefined && deliveryTimes(receiptDelayMs)),
        ...(chatMessagesPerSecond !== undefined && { messagesPerSecond: chatMessagesPerSecond }),
      });
    },
  };
}
