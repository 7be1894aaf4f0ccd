import { type CarrierConfiguration, singleConnector } from '../carriers/configuration.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Sql } from '../database/connection.ts';
import type { PhoneFeed } from '../live/hub.ts';
import type { Logger } from '../observability/log.ts';
import type { SandboxControls } from '../sandbox-handle.ts';
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
/** Calls of the sandbox's trunk. */
const CALLS_AT_ONCE = 100;

interface NetworksDeps {
  readonly config: Config;
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Where the networks listen, and how their webhooks are signed; what is left out is any free port, or random. */
interface NetworksOptions {
  readonly ports?: {
    readonly smpp: number;
    readonly chat: number;
    readonly mail: number;
    readonly sip: number;
  };
  readonly chatSecrets: Parameters<typeof startSandboxChat>[0]['preset'];
}

/** The simulated peers of every protocol, on loopback. */
export interface Networks {
  readonly smsc: SandboxSmsc;
  /** The port of the SMSC. */
  readonly port: number;
  readonly chat: SandboxChat;
  readonly voice: SandboxVoice;
  readonly mail: MailSink;
  /** What comes to the phones. */
  readonly phones: PhoneFeed;
  /** What came to the phones and mailboxes lately. */
  readonly arrivals: LatestArrivals;
  /** What messages and calls to a number go by. */
  readonly endings: Endings;
  /** How they behave, for operators. */
  readonly settings: Pick<SandboxControls, 'read' | 'change'>;
  close(): Promise<void>;
}

/** Opens the simulated networks: all of them, or none when it throws, as it does for a port that is in use. */
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

/** How to reach the SMSC on this port of the machine, and the telephone exchange. */
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
