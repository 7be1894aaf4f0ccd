import { type ConnectorHolder, connectorOf, type OutgoingMessage } from '../../engine/carriers/carrier.ts';
import type { Context } from '../../kit/context.ts';
import { Loop } from '../../kit/loop.ts';
import { maskNumber } from '../../kit/observability/log.ts';
import type { ChatPlatformClient } from '../../protocols/chat-platform/client.ts';
import { ChatConnector, type ChatConnectorOptions } from '../../protocols/chat-platform/connector.ts';
import type { NotDone } from '../../protocols/chat-platform/outcomes.ts';
import { type ChatNumber, type ChatNumbers, NO_TOKEN } from './business-numbers.ts';
import { addressed, addressedFile, type ChatContent } from './content.ts';
import type { OutgoingMedia } from './outgoing-media.ts';
import { encodeReference } from './references.ts';
import { chatRoute, chatStatus } from './statuses.ts';

const REFRESH_MS = 1_000;
/** Label of all business numbers in metrics: separate labels would contain customers' numbers. */
const CHAT_LABEL = 'chat';

interface ChatConnectorsDeps extends Pick<Context, 'log'> {
  readonly client: ChatPlatformClient;
  readonly numbers: ChatNumbers;
  readonly outgoingMedia: OutgoingMedia;
  readonly holder: ConnectorHolder;
  /** Maximum parallel messages from a number. */
  readonly window: number;
  readonly clientPauseMs: number;
}

/** The settings of a number, and its connector while the number is open. */
interface KnownNumber {
  settings: ReturnType<typeof settingsOf>;
  carrier?: ChatConnector;
}

/**
 * Keeps a connector of the dispatcher for each business number, as numbers are added, changed and removed.
 */
export class ChatConnectors {
  readonly #deps: ChatConnectorsDeps;
  readonly #connectors = new Map<string, KnownNumber>();
  readonly #looks: Loop;

  constructor(deps: ChatConnectorsDeps) {
    this.#deps = deps;
    this.#looks = new Loop({
      owner: 'chat connectors',
      everyMs: REFRESH_MS,
      step: () => this.#refresh(),
      log: deps.log,
      failed: 'business numbers could not be read',
    });
  }

  /** Creates the connectors of existing numbers, and looks for changes every second. */
  async start(): Promise<void> {
    await this.#refresh();
    this.#looks.start();
  }

  stop(): Promise<void> {
    return this.#looks.stop();
  }

  async #refresh(): Promise<void> {
    const { numbers, holder } = this.#deps;
    // A number without a token is paused: its messages wait in the database.
    const wanted = new Map(
      (await numbers.all())
        .filter(({ accessToken }) => accessToken !== NO_TOKEN)
        .map((number) => [chatRoute(number.phone), number]),
    );
    for (const [name, number] of wanted) {
      const settings = settingsOf(number);
      const known = this.#connectors.get(name);
      if (known) {
        known.settings = settings;
        known.carrier?.update(settings);
      } else this.#add(name, number);
    }
    for (const name of [...this.#connectors.keys()].filter((name) => !wanted.has(name))) {
      this.#connectors.delete(name);
      await holder.removeConnector(name);
    }
  }

  #add(name: string, number: ChatNumber): void {
    const { client, holder, window, clientPauseMs, log } = this.#deps;
    const known: KnownNumber = { settings: settingsOf(number) };
    const options: ChatConnectorOptions = {
      name,
      client,
      read: readerOf(this.#deps),
      refusedStatus: chatStatus.undelivered,
      window,
      clientPauseMs,
      onTrouble: (reason, error) => {
        if (error)
          log.error(
            { err: error, number: maskNumber(number.phone) },
            'request for a chat message not built: error of the service',
          );
        else
          log.warn(
            { number: maskNumber(number.phone), reason },
            'chat platform refuses the access token of a business number: set another one under Business numbers',
          );
      },
    };
    this.#connectors.set(name, known);
    const connector = connectorOf({ name, label: CHAT_LABEL }, () => {
      known.carrier = new ChatConnector(known.settings, options);
      return known.carrier;
    });
    holder.addConnector(connector);
  }
}

const settingsOf = ({ platformId, accessToken, messagesPerSecond }: ChatNumber) => ({
  phoneNumberId: platformId,
  token: accessToken,
  messagesPerSecond,
});

/** Returns a function that creates the platform's messages from stored ones. */
function readerOf({
  outgoingMedia,
  log,
}: Pick<ChatConnectorsDeps, 'outgoingMedia' | 'log'>): ChatConnectorOptions['read'] {
  return ({ payload, destination, accountId, id }: OutgoingMessage, number, signal) => {
    const content = payload as ChatContent;
    const reference = encodeReference(accountId, id);
    if (content.kind !== 'media') return addressed(content, destination, reference);
    return outgoingMedia
      .upload(accountId, number, content.media.id, signal)
      .then((uploaded) =>
        uploaded.outcome === 'done'
          ? addressedFile(content, uploaded.platformId, destination, reference)
          : uploaded,
      )
      .catch((error: unknown): NotDone => {
        log.warn({ err: error, media: content.media.id }, 'file not uploaded to the chat platform');
        return { outcome: 'unknown' };
      });
  };
}
