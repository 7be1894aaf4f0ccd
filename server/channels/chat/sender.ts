import { type SendKey, storeSendKey } from '../../api/send-keys/send-keys.ts';
import type { Within } from '../../engine/fallback/sender.ts';
import type { Claim } from '../../engine/gate/evidence.ts';
import type { AskedRule, Gate } from '../../engine/gate/gate.ts';
import { type Lane, lanes } from '../../engine/messages/lanes.ts';
import { accepted, acceptSeconds } from '../../engine/messages/metrics.ts';
import { storeRequest } from '../../engine/messages/store-request.ts';
import { accepting } from '../../engine/messages/traces.ts';
import type { Context } from '../../kit/context.ts';
import { type ChatProblem, Refusal } from '../../kit/errors.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import type { Prices } from '../../modules/accounts/prices.ts';
import type { Suppressions } from '../../modules/audience/suppressions.ts';
import type { TemplateFields } from '../../modules/conversations/reply-channel.ts';
import type { Transactional } from '../../modules/sending-policy/policy.ts';
import { admit, CHAT_PRICES } from './admit.ts';
import { extraPrice, freeLeft, sentInMonth } from './billing.ts';
import type { ChatNumber, ChatNumbers } from './business-numbers.ts';
import { chatChannel } from './channel.ts';
import { pricedAs, readClient } from './clients.ts';
import type { ChatContent } from './content.ts';
import { fillTemplateAndCheck, type MediaCheck } from './fill.ts';
import { isOptedOut } from './opt-outs.ts';
import { storeMessage } from './store-message.ts';
import type { Template } from './template-rows.ts';
import { isUsable, type Templates } from './templates.ts';
import {
  freeFormProblem,
  isConversationOpen,
  isCountedInMonth,
  type MessageKind,
  readWindow,
  type Window,
  windowProblem,
} from './windows.ts';

interface ChatSenderDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'tracing'> {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly suppressions: Pick<Suppressions, 'has'>;
  readonly prices: Prices;
  readonly numbers: Pick<ChatNumbers, 'find'>;
  readonly templates: Pick<Templates, 'find'>;
  readonly gate: Pick<Gate, 'single'>;
  /** Parses destinations. */
  readonly reader: NumberReader;
  /** Checks the link of a template's media header. */
  readonly checkMedia: MediaCheck;
  /** Time zone of accounts without one. */
  readonly defaultZone: string;
  /**
   * Milliseconds after which unanswered templates are forgotten; 0: they count until the client writes
   * (CHAT_UNANSWERED_DAYS).
   */
  readonly forgetUnansweredMs: number;
  /** Called after the commit, for an account and lane with new work. Only a hint: it may be lost. */
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
}

interface Addresses {
  readonly accountId: number;
  /** The business number and the client, in any spelling; for a client who hides their number, the platform's id. */
  readonly source: string;
  readonly destination: string;
}

export interface TemplateRequest extends Addresses {
  /** `<number>_<business phone>_<suffix>` */
  readonly templateId: string;
  /** The values, or a function that reads them, called only after everything before them was valid, like `content`. */
  readonly fields: TemplateFields | (() => TemplateFields | Promise<TemplateFields>);
  /** Whether a person of the account answers the client with it. Then no sending policy applies. */
  readonly isReply?: boolean;
  /** Its request to the sending policy of the account, if any. */
  readonly rule?: Transactional | null;
  /** The message that it replaces, if any. */
  readonly replaces?: ReplacedMessage;
}

/** A message of another channel that a template replaces. */
interface ReplacedMessage {
  /** Its shipment. */
  readonly fallbackOf: number;
  readonly within: Within;
}

/** Kinds that need an open window. A text is only sent as a reply from a conversation. */
type FreeFormKind = Exclude<MessageKind, 'template'>;

export interface FreeFormRequest<Kind extends FreeFormKind> extends Addresses {
  /**
   * Reads the content. Called after source, destination and window were valid, so that the first problem in the
   * documented order is reported; its errors are passed on.
   */
  readonly content: () => Content<Kind> | Promise<Content<Kind>>;
}

/** Content of a message, and its request to the sending policy of its account. */
interface Outgoing {
  readonly content: ChatContent;
  readonly body: string;
  readonly rule: AskedRule | null;
  readonly replaces?: ReplacedMessage | undefined;
}

type Content<Kind> = Extract<ChatContent, { kind: Kind }>;

/** An accepted message. */
export interface Sent {
  readonly id: number;
  readonly shipmentId: number;
  /** Time of acceptance, in milliseconds since the epoch. */
  readonly at: number;
  /** The business number and the client: E.164 digits, or the id of one who hides the number. */
  readonly from: string;
  readonly to: string;
  /** Text of the message; for a template, including its variables. */
  readonly body: string;
  /** Whole minutes left of the 24 hours since the client's last message, and of the conversation. */
  readonly templateTimeLeft: number;
  readonly conversationTimeLeft: number;
}

/** A template message that passed all checks. */
interface CheckedTemplate {
  readonly number: ChatNumber;
  /** E.164 digits. */
  readonly to: string;
  /** The body as the client reads it. */
  readonly body: string;
  readonly opensConversation: boolean;
  /** Ten-thousandths of a credit. */
  readonly price: number;
}

/** A message with buttons, or a carousel, that passed all checks. */
interface CheckedFreeForm extends Pick<CheckedTemplate, 'number' | 'opensConversation' | 'price'> {
  /** Free messages of these kinds left in the month, this one included. */
  readonly freeLeft: number;
}

/** State between a business number and a client at `now` (milliseconds since the epoch). */
interface WindowState {
  readonly window: Window;
  readonly now: number;
  /** Why buttons and carousels are refused; null if they are not. */
  readonly problem: ReturnType<typeof freeFormProblem>;
}

/** A request with a valid source and destination. */
interface Addressed {
  readonly number: ChatNumber;
  readonly client: string;
  readonly zone: string;
}

/** Sends single messages (interface, A2, A4, A5). Each is one transaction, and is answered after its commit. */
export class ChatSender {
  readonly #deps: ChatSenderDeps;

  constructor(deps: ChatSenderDeps) {
    this.#deps = deps;
  }

  /**
   * Accepts a template message durably. Throws Refusal with the first problem in the order source, destination,
   * template, window, opt-out, fields (decisions, "Checks' order"), then those that need locks: the messaging limit and
   * the credit. Throws Refusal `try-again` if the database is unavailable. Then nothing is stored or charged. `sendKey`
   * is stored with the message.
   */
  async template(request: TemplateRequest, sendKey?: SendKey<Sent>): Promise<Sent> {
    const { addressed, content, body, rule } = await this.#prepareTemplate(request);
    return this.#send(addressed, { content, body, rule, replaces: request.replaces }, sendKey);
  }

  /**
   * Runs the checks of `template` except those that need locks, and stores nothing. Returns the text for the client and
   * the current price. Throws as `template` does.
   */
  async checkTemplate(request: TemplateRequest): Promise<CheckedTemplate> {
    const { sql, clock, prices } = this.#deps;
    const { addressed, body } = await this.#prepareTemplate(request);
    const { number, client } = addressed;
    const [window, priceOf] = await Promise.all([
      readWindow(sql, number, client),
      prices.of(number.accountId, CHAT_PRICES),
    ]);
    const opensConversation = !isConversationOpen(window, clock.now());
    return {
      number,
      to: client,
      body,
      opensConversation,
      price: opensConversation ? priceOf(pricedAs(client)) : 0,
    };
  }

  /** Runs the checks of a template message in their order, and fills it. */
  async #prepareTemplate(request: TemplateRequest) {
    const { clock, templates, checkMedia } = this.#deps;
    const { accountId, templateId, fields } = request;
    const addressed = await this.#address(request);
    const { number, client, zone } = addressed;
    const template = await templates.find(accountId, templateId);
    if (template?.phone !== number.phone) {
      throw new Refusal('unknown-template', 'no template of the business number', 'templateId');
    }
    const now = clock.now();
    if (!isUsable(template, now)) {
      throw new Refusal('template-not-usable', `the template has status ${template.status}`, 'templateId');
    }
    await this.#checkWindow(addressed, 'template');
    if (template.category === 'MARKETING' && (await isOptedOut(this.#deps, accountId, client))) {
      throw new Refusal('blacklisted', 'the client wants no marketing messages', 'destination');
    }
    const input = typeof fields === 'function' ? await fields() : fields;
    const filled = await fillTemplateAndCheck(template, input, { now, zone }, checkMedia);
    const rule = this.#claimOf(request, addressed, template) ?? request.rule ?? null;
    return { addressed, ...filled, rule };
  }

  /** Requested codes and replies are permitted at any hour. */
  #claimOf({ isReply }: TemplateRequest, { number, client }: Addressed, template: Template): Claim | null {
    if (template.category === 'AUTHENTICATION')
      return { claims: 'authentication', over: 'chat', id: template.id };
    return isReply ? replyTo(number, client) : null;
  }

  /** Accepts a button message durably. Throws as `template` does, and errors of the request's `content`. */
  buttons(request: FreeFormRequest<'buttons'>, sendKey?: SendKey<Sent>): Promise<Sent> {
    return this.freeForm(request, 'buttons', sendKey);
  }

  /**
   * Runs the checks of a message other than a template, except those that need locks, and stores nothing. Returns the
   * current price, and the number of free button and carousel messages left in the month. Throws as `buttons` does.
   */
  async checkFreeForm<Kind extends FreeFormKind>(
    request: FreeFormRequest<Kind>,
    kind: Kind,
  ): Promise<CheckedFreeForm> {
    const { sql, clock, prices } = this.#deps;
    const addressed = await this.#address(request);
    const { number, client, zone } = addressed;
    const window = await this.#checkWindow(addressed, kind);
    await request.content();
    const now = clock.now();
    const [sent, priceOf] = await Promise.all([
      sentInMonth(sql, number.accountId, now, zone),
      prices.of(number.accountId, CHAT_PRICES),
    ]);
    const opensConversation = !isConversationOpen(window, now);
    const extra = isCountedInMonth(kind) ? extraPrice(sent) : 0;
    const price = (opensConversation ? priceOf(pricedAs(client)) : 0) + extra;
    return { number, opensConversation, price, freeLeft: freeLeft(sent) };
  }

  /** Returns the state between a business number and a client. Throws Refusal if one of them is invalid. */
  async window(addresses: Addresses): Promise<WindowState> {
    const { sql, clock, forgetUnansweredMs } = this.#deps;
    const { number, client } = await this.#address(addresses);
    const window = await readWindow(sql, number, client);
    const now = clock.now();
    return { window, now, problem: freeFormProblem(window, now, forgetUnansweredMs) };
  }

  /** Accepts a carousel durably. Throws as `buttons` does. */
  carousel(request: FreeFormRequest<'carousel'>, sendKey?: SendKey<Sent>): Promise<Sent> {
    return this.freeForm(request, 'carousel', sendKey);
  }

  /**
   * Accepts a message other than a template durably. Throws as `template` does, and errors of the request's `content`.
   */
  async freeForm<Kind extends FreeFormKind>(
    request: FreeFormRequest<Kind>,
    kind: Kind,
    sendKey: SendKey<Sent> | undefined,
  ): Promise<Sent> {
    const addressed = await this.#address(request);
    await this.#checkWindow(addressed, kind);
    const content: Extract<ChatContent, { kind: FreeFormKind }> = await request.content();
    // It answers the client's message of the last 24 hours.
    return this.#send(
      addressed,
      { content, body: content.body, rule: replyTo(addressed.number, addressed.client) },
      sendKey,
    );
  }

  async #address({ accountId, source, destination }: Addresses): Promise<Addressed> {
    const { sql, accounts, numbers, reader, defaultZone } = this.#deps;
    const account = await accounts.byId(accountId);
    if (!account || account.suspended) throw new Refusal('suspended', 'the account is suspended');
    const phone = reader.parse(source)?.digits;
    const number = phone === undefined ? undefined : await numbers.find(phone);
    if (number?.accountId !== accountId) {
      throw new Refusal('unknown-source', 'no business number of the account', 'source');
    }
    const client = await readClient(sql, reader, accountId, destination);
    if (client === undefined) throw new Refusal('bad-destination', 'no phone number', 'destination');
    return { number, client, zone: account.timeZone ?? defaultZone };
  }

  /** Checks the window before the fields, because its reasons come first. `admit` decides finally, under its lock. */
  async #checkWindow({ number, client }: Addressed, kind: MessageKind): Promise<Window> {
    const { sql, clock, forgetUnansweredMs } = this.#deps;
    const window = await readWindow(sql, number, client);
    const problem = windowProblem(window, kind, clock.now(), forgetUnansweredMs);
    if (problem) throw refused(problem);
    return window;
  }

  #send(addressed: Addressed, outgoing: Outgoing, sendKey: SendKey<Sent> | undefined): Promise<Sent> {
    return accepting(this.#deps.tracing, chatChannel.name, 1, (trace) =>
      this.#accept(addressed, outgoing, sendKey, trace),
    );
  }

  async #accept(
    { number, client, zone }: Addressed,
    { content, body, rule, replaces }: Outgoing,
    sendKey: SendKey<Sent> | undefined,
    trace: string | undefined,
  ): Promise<Sent> {
    const { sql, ids, clock, prices, forgetUnansweredMs, gate, notifyDispatcher } = this.#deps;
    const { accountId } = number;
    const started = performance.now();
    const priceOf = await prices.of(accountId, CHAT_PRICES);
    const at = clock.now();
    const to = { recipient: client, channel: chatChannel.id };
    const { pass, dueAt } = await gate.single({ accountId, rule, recipients: [client] }, to, at, 'suspended');
    const { fallbackOf } = replaces ?? {};
    const message = {
      ...{ shipmentId: ids.next(), messageId: ids.next(), at, dueAt, pass, trace, content },
      fallbackOf,
    };
    const request = { number, clients: [client], kind: content.kind, now: at, zone };
    const sent = await storeRequest(sql, async (tx): Promise<Sent> => {
      await replaces?.within(tx, message.shipmentId);
      const [decided] = await admit(tx, { priceOf, forgetUnansweredMs }, request);
      if (decided!.problem) throw refused(decided!.problem);
      const { templateTimeLeft, conversationTimeLeft } = decided!;
      const { messageId: id, shipmentId } = message;
      const addresses = { from: number.phone, to: client };
      const answer = { id, shipmentId, at, ...addresses, body, templateTimeLeft, conversationTimeLeft };
      await Promise.all([
        storeMessage(tx, ids, number, decided!, message),
        storeSendKey(tx, accountId, sendKey, answer),
      ]);
      return answer;
    });
    acceptSeconds.observe((performance.now() - started) / 1000);
    accepted.inc();
    notifyDispatcher(accountId, lanes.single);
    return sent;
  }
}

const why: Partial<Record<ChatProblem, readonly [problem: string, path?: string]>> = {
  'two-unanswered': ['two template messages have had no answer', 'destination'],
  'never-written': ['the client has never written, use a template', 'destination'],
  'window-closed': ['not within 24 hours of an answer of the client, use a template', 'destination'],
  'tier-reached': ['the portfolio has written first to as many clients in 24 hours as its tier allows'],
};

/** A reply to the client's message to the business number. */
const replyTo = ({ phone }: ChatNumber, client: string): Claim => ({
  claims: 'reply',
  over: 'chat',
  sender: phone,
  client,
});

function refused(code: ChatProblem): Refusal {
  return new Refusal(code, ...(why[code] ?? [code]));
}
