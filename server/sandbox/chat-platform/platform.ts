import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { request } from 'undici';
import { objectOf } from '../../protocols/chat-platform/json.ts';
import { readCardButtonId } from '../../protocols/chat-platform/messages.ts';
import { lastDigits } from '../endings.ts';
import { dropOldest, FailsOnce } from '../inbox.ts';
import { Deliveries, seconds } from './deliveries.ts';
import { noObject, PlatformRefusal } from './errors.ts';
import { createPlatformServer, type PlatformApi } from './http.ts';
import { Limits } from './limits.ts';
import { digestOf, MediaFiles, type PlatformFile } from './media-files.ts';
import { type NotifiedNumber, Notifier } from './notifier.ts';
import {
  defaultBehaviour,
  type SandboxBusiness,
  type SandboxChatPlatformOptions,
  type SandboxPlatformBehaviour,
} from './options.ts';
import { buttonsOf, type ChatLocation, type ChatMedia, ChatPhones } from './phones.ts';
import type { SandboxTemplate } from './prepared.ts';
import { type ReviewedAccount, Reviewer } from './reviewer.ts';
import { type FileOf, type ReadSend, readSend } from './sends.ts';
import { simulatedOutcomeOf } from './simulated-outcomes.ts';
import { readSubmission } from './submissions.ts';
import { TemplateStore } from './templates.ts';
import { Uploads } from './uploads.ts';

const DAY = 86_400_000;
const keptContacts = 100_000;
/** Maximum milliseconds between two checks for due work, since the sandbox's clock can be advanced. */
const longestNapMs = 100;
const shortestNapMs = 5;

interface Account extends ReviewedAccount {
  readonly numbers: ReadonlyMap<string, NotifiedNumber>;
}

/** Counts since the platform was created. */
interface SandboxPlatformCounts {
  accepted: number;
  refused: number;
  throttled: number;
}

/** Result of a phone's action. */
type PhoneAction =
  /** The phone sent a message with this platform id. */
  | { readonly id: string }
  /** The phone opened, called or copied this, which is not reported to the business. */
  | { readonly opened: string }
  | { readonly problem: 'unknown-business' | 'unknown-message' | 'unknown-button' };

/**
 * The sandbox's chat platform: the platform's HTTP API and its signed webhooks, with simulated phones. The ending of
 * the number (simulated-outcomes.ts) and `behaviour` decide the outcome of a message; the ending of its name decides
 * that of a template (review.ts).
 */
export class SandboxChatPlatform implements PlatformApi {
  readonly phones = new ChatPhones();
  readonly counts: SandboxPlatformCounts = { accepted: 0, refused: 0, throttled: 0 };
  readonly uploads = new Uploads();
  readonly files = new MediaFiles();
  readonly notifier: Notifier;
  behaviour: SandboxPlatformBehaviour;
  readonly #options: SandboxChatPlatformOptions;
  readonly #byToken = new Map<string, Account>();
  readonly #byNumber = new Map<string, NotifiedNumber>();
  readonly #deliveries: Deliveries;
  readonly #reviewer: Reviewer;
  readonly #limits = new Limits();
  readonly #throttledOnce = new FailsOnce();
  /** Time of the last message from a phone to a business number. */
  readonly #lastWritten = new Map<string, number>();
  #server: FastifyInstance | undefined;
  #nap: NodeJS.Timeout | undefined;
  #wakesAt = 0;
  #lastId: number;

  constructor(options: SandboxChatPlatformOptions) {
    const { appId: _appId, appSecret, businesses, callbackUrl, clock, log, onTemplates, ...given } = options;
    this.#options = options;
    this.behaviour = { ...defaultBehaviour, ...given };
    const behaviour = () => this.behaviour;
    const notifier = new Notifier({ appSecret, log, behaviour });
    notifier.callbackUrl = callbackUrl;
    this.notifier = notifier;
    this.#deliveries = new Deliveries({ clock, phones: this.phones, notifier, behaviour });
    this.#reviewer = new Reviewer({
      clock,
      notifier,
      behaviour,
      changed: ({ accountId, templates }) => onTemplates?.(accountId, templates.all),
    });
    // Ids start from the time, so that those of two runs over one database differ. They stay under 2^53 until 2255.
    this.#lastId = clock.now() * 1_000;
    for (const business of businesses) this.addBusiness(business);
  }

  /** Changes the platform's behaviour. */
  change(behaviour: Partial<SandboxPlatformBehaviour>): void {
    this.behaviour = { ...this.behaviour, ...behaviour };
  }

  addBusiness({ accountId, token, numbers, templates = [] }: SandboxBusiness): void {
    const known = numbers.map(({ phoneNumberId, number }) => ({ accountId, phoneNumberId, number }));
    for (const number of known) this.#byNumber.set(number.number, number);
    this.#byToken.set(token, {
      accountId,
      numbers: new Map(known.map((number) => [number.phoneNumberId, number])),
      templates: new TemplateStore(templates),
    });
  }

  /** Listens (port 0: any free port) and returns the port. May be called again after `stopListening`. */
  async listen(port: number, host = '127.0.0.1'): Promise<number> {
    const server = createPlatformServer(this);
    // The processes of a group would share it otherwise (node:cluster).
    await server.listen({ port, host, exclusive: true });
    this.#server = server;
    const address = server.server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  /** Cuts all connections and accepts no more; webhooks and phones continue. */
  async stopListening(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.server.closeAllConnections();
    await server?.close();
  }

  async close(): Promise<void> {
    await this.stopListening();
    clearTimeout(this.#nap);
    await this.notifier.close();
  }

  /**
   * Verifies a callback address, as the platform does when one is configured, and sends further webhooks there. Rejects
   * when the address does not answer the challenge.
   */
  async subscribe(callbackUrl: string, verifyToken: string): Promise<void> {
    const challenge = randomBytes(8).toString('hex');
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': verifyToken,
      'hub.challenge': challenge,
    });
    const answer = await request(`${callbackUrl}?${query}`);
    const body = await answer.body.text();
    if (answer.statusCode !== 200 || body !== challenge) {
      throw new Error(`the callback address did not answer the challenge: HTTP ${answer.statusCode}`);
    }
    this.notifier.callbackUrl = callbackUrl;
  }

  /** Whether no message is under way and no webhook waits. Scheduled reviews do not count. */
  get idle(): boolean {
    return this.#deliveries.length === 0 && this.notifier.idle;
  }

  /** Sends a message from a phone to a business number. `replyTo` is the id of a message to quote. */
  sendFromPhone(message: { from: string; to: string; body: string; replyTo?: string }): PhoneAction {
    const { from, to, body, replyTo } = message;
    const number = this.#byNumber.get(to);
    if (!number) return { problem: 'unknown-business' };
    return this.#bring(
      number,
      from,
      { replyTo: replyTo ?? null, text: body },
      { type: 'text', text: { body } },
    );
  }

  /** Sends a file from a phone to a business number. */
  sendFileFromPhone(message: {
    from: string;
    to: string;
    type: ChatMedia['type'];
    bytes: Buffer;
    mimeType: string;
    fileName: string;
    caption: string;
    voice: boolean;
  }): PhoneAction {
    const { from, to, type, bytes, mimeType, fileName, caption, voice } = message;
    const number = this.#byNumber.get(to);
    if (!number) return { problem: 'unknown-business' };
    const file = this.#addFile(number.accountId, bytes, mimeType);
    const part = {
      id: file.id,
      mime_type: mimeType,
      sha256: digestOf(bytes, 'base64'),
      caption: caption === '' ? undefined : caption,
      filename: type === 'document' ? fileName : undefined,
      voice: type === 'audio' ? voice : undefined,
    };
    const media = { type, ...shownFile(file), fileName, voice };
    return this.#bring(number, from, { text: caption, media }, { type, [type]: part });
  }

  /** Sends a place from a phone to a business number. */
  sendLocationFromPhone(message: { from: string; to: string; location: ChatLocation }): PhoneAction {
    const { from, to, location } = message;
    const number = this.#byNumber.get(to);
    if (!number) return { problem: 'unknown-business' };
    const { latitude, longitude, name } = location;
    const part = { latitude, longitude, ...(name !== '' && { name }) };
    const text = name || `${latitude}, ${longitude}`;
    return this.#bring(number, from, { text, location }, { type: 'location', location: part });
  }

  /** Presses a button of a message that arrived at a phone; `button` is its id or its text. */
  pressButton(press: { from: string; to: string; message: string; button: string }): PhoneAction {
    const { from, to, message: id, button: wanted } = press;
    const number = this.#byNumber.get(to);
    if (!number) return { problem: 'unknown-business' };
    const message = this.phones.list(from).find((each) => each.id === id && each.from === to);
    if (!message) return { problem: 'unknown-message' };
    const buttons = buttonsOf(message);
    const button =
      buttons.find((each) => each.type === 'reply' && each.id === wanted) ??
      // Matches the id that the business set; if several cards have it, the first one.
      buttons.find((each) => each.type === 'reply' && readCardButtonId(each.id).id === wanted) ??
      buttons.find((each) => each.text === wanted);
    if (!button) return { problem: 'unknown-button' };
    switch (button.type) {
      case 'url':
        return { opened: button.url };
      case 'call':
        return { opened: button.number };
      case 'copy':
        return { opened: button.code };
    }
    const { text, payload } = button;
    if (payload !== null) {
      return this.#bring(number, from, { replyTo: id, text }, { type: 'button', button: { payload, text } });
    }
    const reply = { id: button.id, title: text };
    const interactive = { type: 'button_reply', button_reply: reply };
    return this.#bring(number, from, { replyTo: id, text }, { type: 'interactive', interactive });
  }

  /** Reports a template's quality, in the platform's terms. */
  reportQuality(token: string, templateId: string, previous: string, next: string): void {
    this.#reviewer.reportQuality(this.account(token), templateId, previous, next);
  }

  qualityOfTemplate(templateId: string): string {
    return this.#reviewer.qualityOf(templateId);
  }

  /** Returns the account of a token. Throws PlatformRefusal for an unknown token. */
  account(token: string): Account {
    const account = this.#byToken.get(token);
    if (!account) throw new PlatformRefusal(190, 'The access token could not be decrypted');
    return account;
  }

  isApp(appId: string): boolean {
    return appId === this.#options.appId;
  }

  /** Accepts a message, or throws PlatformRefusal. `cut` means that the connection must be cut instead of answering. */
  send(token: string, phoneNumberId: string, body: unknown): { id: string; to: string; cut: boolean } {
    const account = this.account(token);
    const number = account.numbers.get(phoneNumberId);
    if (!number) throw noObject(phoneNumberId);
    const { behaviour } = this;
    const now = this.#options.clock.now();
    if (!this.#limits.takeSecond(phoneNumberId, behaviour.messagesPerSecond, now))
      throw this.#throttle(130429);
    let read: ReadSend;
    try {
      const fileOf: FileOf = (id, type) => shownFile(this.files.toSend(account.accountId, id, type));
      read = readSend(body, { templates: account.templates, fileOf, now });
    } catch (error) {
      this.counts.refused++;
      throw error;
    }
    const { to, reference } = read;
    const send = { phoneNumberId, to, reference };
    const refused = behaviour.refuse?.(send);
    if (refused !== undefined) throw this.#refuse(refused);
    if (!this.#limits.takePair(phoneNumberId, to, behaviour.pairPauseMs, behaviour.pairBurst, now)) {
      throw this.#throttle(131056);
    }
    const outcome = simulatedOutcomeOf((this.#options.endingOf ?? lastDigits)(to));
    if (outcome.kind === 'refused') throw this.#refuse(outcome.code);
    if (outcome.kind === 'throttled-first' && this.#throttledOnce.isFirst(to)) throw this.#throttle(130429);
    const id = this.#newId();
    this.counts.accepted++;
    const outside = read.template === null && behaviour.enforcesWindow && !this.#inWindow(number, to, now);
    const told = outside ? ({ kind: 'failed', code: 131047 } as const) : outcome;
    this.#deliveries.add({ id, number, send: read, outcome: told }, now);
    this.#rest(behaviour.sentDelayMs);
    behaviour.onSend?.(send, id);
    return { id, to, cut: outcome.kind === 'cut' };
  }

  /**
   * Stores a file that a business will send, and returns its id. Throws PlatformRefusal when the platform rejects it.
   */
  upload(token: string, phoneNumberId: string, file: { bytes: Buffer; mimeType: string }): string {
    const { accountId, numbers } = this.account(token);
    if (!numbers.has(phoneNumberId)) throw noObject(phoneNumberId);
    this.files.checkUpload(file.bytes, file.mimeType);
    return this.#addFile(accountId, file.bytes, file.mimeType).id;
  }

  /** Current time of the platform. */
  get now(): number {
    return this.#options.clock.now();
  }

  /** Accepts a template for review. */
  submit(token: string, body: unknown, sampleLink: (handle: string) => string | undefined): SandboxTemplate {
    const account = this.account(token);
    const read = readSubmission(body, sampleLink);
    const template: SandboxTemplate = {
      id: String(++this.#lastId),
      ...read,
      status: 'PENDING',
      rejected_reason: 'NONE',
    };
    this.#reviewer.add(account, template);
    this.#rest(this.behaviour.reviewDelayMs);
    return template;
  }

  /** Changes the components of a template. Throws PlatformRefusal when it does not exist or must not be changed. */
  edit(token: string, id: string, body: unknown, sampleLink: (handle: string) => string | undefined): void {
    const account = this.account(token);
    const template = account.templates.get(id);
    if (!template) throw noObject(id);
    if (template.status === 'PENDING' || template.status === 'DISABLED') {
      throw new PlatformRefusal(
        100,
        'Message templates can only be edited when approved, rejected or paused',
      );
    }
    const { name, language, category } = template;
    const { components } = readSubmission(
      { name, language, category, components: objectOf(body).components },
      sampleLink,
    );
    this.#reviewer.edit(account, { ...template, components });
    this.#rest(this.behaviour.reviewDelayMs);
  }

  /** Deletes templates. Throws PlatformRefusal when no template matches. */
  deleteTemplates(token: string, name: string, id: string | undefined): void {
    this.#reviewer.delete(this.account(token), name, id);
  }

  #addFile(accountId: string, bytes: Buffer, mimeType: string): PlatformFile {
    const file = { id: String(++this.#lastId), accountId, bytes, mimeType };
    this.files.add(file);
    return file;
  }

  #newId(): string {
    return `wamid.HBg${(++this.#lastId).toString(36).toUpperCase()}`;
  }

  #refuse(code: number): PlatformRefusal {
    this.counts.refused++;
    return new PlatformRefusal(code, 'refused by the sandbox');
  }

  #throttle(code: number): PlatformRefusal {
    this.counts.throttled++;
    return new PlatformRefusal(code, 'too many messages were sent in a short time');
  }

  #inWindow(number: NotifiedNumber, to: string, now: number): boolean {
    return now - (this.#lastWritten.get(`${to}\n${number.number}`) ?? Number.NEGATIVE_INFINITY) < DAY;
  }

  /** Reports a phone's message to the business; `shown` is the message in the phone's own display. */
  #bring(
    number: NotifiedNumber,
    from: string,
    shown: {
      readonly text: string;
      readonly replyTo?: string | null;
      readonly media?: ChatMedia;
      readonly location?: ChatLocation;
    },
    content: object,
  ): { id: string } {
    const { replyTo = null, text, media = null, location = null } = shown;
    const id = this.#newId();
    const now = this.#options.clock.now();
    const key = `${from}\n${number.number}`;
    this.#lastWritten.delete(key);
    this.#lastWritten.set(key, now);
    dropOldest(this.#lastWritten, keptContacts);
    const context = replyTo === null ? undefined : { from: number.number, id: replyTo };
    this.notifier.tell({
      field: 'messages',
      number,
      item: { context, ...senderOf(from), id, timestamp: seconds(now), ...content },
      contact: contactOf(from),
    });
    const at = new Date(now).toISOString();
    this.phones.keepSent(from, { id, to: number.number, text, media, location, replyTo, at });
    return { id };
  }

  /** Schedules the next check for due work in `milliseconds`, within the limits of a nap. */
  #rest(milliseconds: number): void {
    const nap = Math.min(Math.max(milliseconds, shortestNapMs), longestNapMs);
    const wakesAt = performance.now() + nap;
    if (this.#nap && this.#wakesAt <= wakesAt) return;
    clearTimeout(this.#nap);
    this.#wakesAt = wakesAt;
    this.#nap = setTimeout(() => {
      this.#nap = undefined;
      this.#work();
    }, nap);
  }

  #work(): void {
    const now = this.#options.clock.now();
    this.#deliveries.work(now);
    this.#reviewer.work(now);
    const next = Math.min(this.#deliveries.nextAt, this.#reviewer.nextAt);
    if (next < Number.POSITIVE_INFINITY) this.#rest(next - now);
  }
}

/** Returns the address at which the console's phone view loads a file. */
const shownFile = ({ id, mimeType }: PlatformFile) => ({ url: `/v1/sandbox/files/${id}`, mimeType });

/** A phone is identified by its number, or by a user id if its user hides the number. */
const hidesNumber = (phone: string): boolean => !/^\d+$/.test(phone);

const senderOf = (phone: string): object => (hidesNumber(phone) ? { from_user_id: phone } : { from: phone });

const contactOf = (phone: string): object => ({
  profile: { name: `Phone ${phone.slice(-4)}` },
  ...(hidesNumber(phone) ? { user_id: phone } : { wa_id: phone }),
});
