import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import type { TlsPeer } from '../../kit/tls-faults.ts';
import { type Exchange, exchange } from '../http/exchange.ts';
import { arrayOf, idOf, objectOf, textOf } from './json.ts';
import { encodeMessage, type PlatformMessage } from './messages.ts';
import { formOf } from './multipart.ts';
import { qualityOf } from './notice-values.ts';
import { judge, type NotDone, type SendOutcome, sendOutcome } from './outcomes.ts';
import { type TemplateStatus, templateStatusOf } from './template-status.ts';
import { componentsOf, type ListedTemplate, readTemplate, type TemplateContent } from './templates.ts';

/** Version of the platform's API that this client was written against. */
const API_VERSION = 'v26.0';

const longestAnswer = 64 * 1024;
const longestList = 8 * 1024 * 1024;
const pageSize = 100;
/** A business account has at most 6,000 templates. */
const maxPages = 100;
/** Timeout of a whole file upload: 100 MiB at 4 Mbit/s. */
const UPLOAD_MS = 240_000;

interface ChatPlatformSettings {
  /** Origin of the platform, like `https://graph.facebook.com`; it may include a path before the version. */
  readonly baseUrl: string;
  readonly apiVersion?: string;
  /** Maximum number of connections; each carries one request at a time. Default 64. */
  readonly connections?: number;
  /** Timeout of a whole request, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /** Address of the page that opens calls and emails from buttons (see external.ts). */
  readonly contactPage: string;
  /** Receives whether the platform's TLS certificate was accepted. */
  readonly tlsPeer?: TlsPeer;
}

/** A business account on the platform, and the access token for it. */
interface BusinessAccount {
  readonly accountId: string;
  readonly token: string;
}

/** A business number in the platform's list. */
interface ListedNumber {
  readonly platformId: string;
  /** The platform's rating, based on reports of recipients: `GREEN`, `YELLOW`, `RED`, `UNKNOWN`. */
  readonly quality: string;
}

/** A business number from which messages are sent. */
export interface BusinessNumber {
  readonly phoneNumberId: string;
  readonly token: string;
}

type Submitted =
  | { readonly outcome: 'done'; readonly platformId: string; readonly status: TemplateStatus | null }
  | NotDone;
type Listed = { readonly outcome: 'done'; readonly templates: readonly ListedTemplate[] } | NotDone;
type ListedNumbers = { readonly outcome: 'done'; readonly numbers: readonly ListedNumber[] } | NotDone;
type Done = { readonly outcome: 'done' } | NotDone;
type FoundMedia =
  | {
      readonly outcome: 'done';
      /** Valid for 5 minutes; requests to it need the access token. */
      readonly url: string;
    }
  | NotDone;
type UploadedMedia = { readonly outcome: 'done'; readonly platformId: string } | NotDone;
type Uploaded = { readonly outcome: 'done'; readonly handle: string } | NotDone;

/**
 * Client of the chat platform's HTTP API (docs/chat-platform.md). Its methods return failures of the platform or the
 * network as outcomes and never throw for them. They send a request once; the caller retries.
 */
export class ChatPlatformClient {
  readonly #agent: Agent;
  readonly #origin: string;
  readonly #path: string;
  readonly #timeoutMs: number;
  readonly #contactPage: string;
  readonly #tlsPeer: TlsPeer | undefined;
  readonly #idle = Promise.withResolvers<void>();
  #underWay = 0;
  #closed: Promise<void> | undefined;

  /** @throws TypeError when `baseUrl` is not an http or https address */
  constructor(settings: ChatPlatformSettings) {
    const url = new URL(settings.baseUrl);
    if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl is not an http or https address');
    this.#origin = url.origin;
    this.#path = `${url.pathname.replace(/\/$/, '')}/${settings.apiVersion ?? API_VERSION}`;
    this.#timeoutMs = settings.timeoutMs ?? 30_000;
    this.#contactPage = settings.contactPage;
    this.#tlsPeer = settings.tlsPeer;
    this.#agent = new Agent({
      connections: settings.connections ?? 64,
      pipelining: 1,
      connect: { timeout: Math.min(10_000, this.#timeoutMs) },
      // A request on a connection that the platform is just closing ends as unknown, so idle connections are closed
      // early.
      keepAliveTimeout: 4_000,
      keepAliveTimeoutThreshold: 2_000,
      // `exchange` limits the time of a whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Submits one message. The outcome is `unknown` when the connection broke or no answer came in time; status webhooks
   * then settle the message by its `reference`. `signal` ends the wait and does not cancel the message.
   */
  async sendMessage(
    number: BusinessNumber,
    message: PlatformMessage,
    signal?: AbortSignal,
  ): Promise<SendOutcome> {
    const body = encodeMessage(message, this.#contactPage);
    const path = `/${encodeURIComponent(number.phoneNumberId)}/messages`;
    return sendOutcome(await this.#call('POST', path, number.token, { body, signal }));
  }

  /**
   * Submits a template for review. The answer has the status at this moment; a webhook reports the end of the review. A
   * media header needs `headerHandle`, which `uploadSample` returns.
   */
  async submitTemplate(
    account: BusinessAccount,
    template: {
      readonly name: string;
      readonly language: string;
      readonly content: TemplateContent;
      readonly headerHandle?: string;
    },
    signal?: AbortSignal,
  ): Promise<Submitted> {
    const { name, language, content, headerHandle } = template;
    const { category } = content;
    const components = componentsOf(content, headerHandle);
    const body = JSON.stringify({ name, language, category, components });
    const judged = judge(await this.#call('POST', templatesPath(account), account.token, { body, signal }));
    if ('outcome' in judged) return judged;
    const platformId = textOf(judged.answer.id);
    if (platformId === '') return { outcome: 'unknown' };
    return { outcome: 'done', platformId, status: templateStatusOf(textOf(judged.answer.status), '') };
  }

  /**
   * Changes the content of a template, which is reviewed again. Its name, language and category stay. `headerHandle` as
   * in `submitTemplate`.
   */
  async editTemplate(
    { token }: Pick<BusinessAccount, 'token'>,
    template: {
      readonly platformId: string;
      readonly content: TemplateContent;
      readonly headerHandle?: string | undefined;
    },
    signal?: AbortSignal,
  ): Promise<Done> {
    const { platformId, content, headerHandle } = template;
    const body = JSON.stringify({ components: componentsOf(content, headerHandle) });
    const judged = judge(
      await this.#call('POST', `/${encodeURIComponent(platformId)}`, token, { body, signal }),
    );
    return 'outcome' in judged ? judged : { outcome: 'done' };
  }

  /** Lists all templates of a business account, whoever created them. Reads page after page. */
  async listTemplates(account: BusinessAccount, signal?: AbortSignal): Promise<Listed> {
    const fields =
      'id,name,language,category,status,rejected_reason,quality_score,parameter_format,components';
    const templates: ListedTemplate[] = [];
    let after = '';
    for (let page = 0; page < maxPages; page++) {
      const query = new URLSearchParams({ fields, limit: String(pageSize), ...(after !== '' && { after }) });
      const path = `${templatesPath(account)}?${query}`;
      const judged = judge(
        await this.#call('GET', path, account.token, { signal, longestAnswer: longestList }),
      );
      if ('outcome' in judged) return judged;
      templates.push(...arrayOf(judged.answer.data).map(readTemplate));
      const paging = objectOf(judged.answer.paging);
      after = textOf(objectOf(paging.cursors).after);
      // The last page has a cursor too, but no address of a next one.
      if (after === '' || textOf(paging.next) === '') break;
    }
    return { outcome: 'done', templates };
  }

  /** Lists the business numbers of a business account, of which the platform allows 25. */
  async listNumbers(account: BusinessAccount, signal?: AbortSignal): Promise<ListedNumbers> {
    const query = new URLSearchParams({ fields: 'id,quality_rating', limit: String(pageSize) });
    const path = `/${encodeURIComponent(account.accountId)}/phone_numbers?${query}`;
    const judged = judge(await this.#call('GET', path, account.token, { signal }));
    if ('outcome' in judged) return judged;
    const numbers = arrayOf(judged.answer.data)
      .map(objectOf)
      .map(({ id, quality_rating: rating }) => ({ platformId: textOf(id), quality: qualityOf(rating) }));
    return { outcome: 'done', numbers };
  }

  /** Deletes the template with this id, or the template in all its languages without an id. */
  async deleteTemplate(
    account: BusinessAccount,
    template: { readonly name: string; readonly platformId?: string },
    signal?: AbortSignal,
  ): Promise<Done> {
    const { name, platformId } = template;
    const query = new URLSearchParams({ name, ...(platformId !== undefined && { hsm_id: platformId }) });
    const path = `${templatesPath(account)}?${query}`;
    const judged = judge(await this.#call('DELETE', path, account.token, { signal }));
    return 'outcome' in judged ? judged : { outcome: 'done' };
  }

  /**
   * Uploads the example of a template's media header. `handle` is for `submitTemplate` and stays valid for some weeks.
   */
  async uploadSample(
    app: { readonly appId: string; readonly token: string },
    sample: { readonly bytes: Uint8Array; readonly mimeType: string; readonly fileName: string },
    signal?: AbortSignal,
  ): Promise<Uploaded> {
    const { bytes, mimeType, fileName } = sample;
    const query = new URLSearchParams({
      file_name: fileName,
      file_length: String(bytes.length),
      file_type: mimeType,
    });
    const begin = `/${encodeURIComponent(app.appId)}/uploads?${query}`;
    const begun = judge(await this.#call('POST', begin, app.token, { signal }));
    if ('outcome' in begun) return begun;
    const session = textOf(begun.answer.id);
    // The session id is a path with a query and is sent back unchanged.
    if (!/^upload:[\x21-\x7e]+$/.test(session)) return { outcome: 'unknown' };
    const headers = ['authorization', `OAuth ${app.token}`, 'file_offset', '0'];
    const judged = judge(
      await this.#exchange('POST', `/${session}`, [...headers, 'content-type', mimeType], {
        body: bytes,
        signal,
      }),
    );
    if ('outcome' in judged) return judged;
    const handle = textOf(judged.answer.h);
    return handle === '' ? { outcome: 'unknown' } : { outcome: 'done', handle };
  }

  /** Returns the address of a file that a client sent to a business number. `mediaId` is its id in the webhook. */
  async findMedia(number: BusinessNumber, mediaId: string, signal?: AbortSignal): Promise<FoundMedia> {
    const query = new URLSearchParams({ phone_number_id: number.phoneNumberId });
    const path = `/${encodeURIComponent(mediaId)}?${query}`;
    const judged = judge(await this.#call('GET', path, number.token, { signal }));
    if ('outcome' in judged) return judged;
    const url = textOf(judged.answer.url);
    return url === '' ? { outcome: 'unknown' } : { outcome: 'done', url };
  }

  /**
   * Uploads a file that a business number will send; the platform keeps it for 30 days. Reads `content` once. An
   * `unknown` outcome can be retried too, since an upload reaches no recipient.
   */
  async uploadMedia(
    number: BusinessNumber,
    file: { readonly content: Readable; readonly size: number; readonly mimeType: string },
    signal?: AbortSignal,
  ): Promise<UploadedMedia> {
    const form = formOf({ messaging_product: 'whatsapp', type: file.mimeType }, file);
    const headers = [
      ...['authorization', `Bearer ${number.token}`],
      ...['content-type', form.contentType, 'content-length', String(form.length)],
    ];
    const path = `/${encodeURIComponent(number.phoneNumberId)}/media`;
    const judged = judge(
      await this.#exchange('POST', path, headers, { body: form.body, signal, timeoutMs: UPLOAD_MS }),
    );
    form.body.destroy();
    if ('outcome' in judged) return judged;
    const platformId = idOf(judged.answer.id);
    return platformId === '' ? { outcome: 'unknown' } : { outcome: 'done', platformId };
  }

  /** Accepts no more requests, waits up to `graceMs` milliseconds for those under way, then cuts the connections. */
  close(graceMs = 0): Promise<void> {
    this.#closed ??= this.#drain(graceMs);
    return this.#closed;
  }

  // The agent's own `close` is not used: it forgets its connections, so that slow ones could no longer be cut.
  async #drain(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#idle.resolve(), graceMs);
    if (this.#underWay === 0) this.#idle.resolve();
    await this.#idle.promise;
    clearTimeout(timer);
    await this.#agent.destroy();
  }

  #call(method: 'GET' | 'POST' | 'DELETE', path: string, token: string, call: Call): Promise<Exchange> {
    const headers = ['authorization', `Bearer ${token}`];
    if (call.body !== undefined) headers.push('content-type', 'application/json');
    return this.#exchange(method, path, headers, call);
  }

  async #exchange(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    headers: readonly string[],
    call: Call,
  ): Promise<Exchange> {
    if (this.#closed) return { kind: 'broken', sent: false, status: 0, headers: {} };
    this.#underWay++;
    const result = await exchange(this.#agent, {
      origin: this.#origin,
      path: this.#path + path,
      method,
      headers,
      body: call.body ?? null,
      timeoutMs: call.timeoutMs ?? this.#timeoutMs,
      longestAnswer: call.longestAnswer ?? longestAnswer,
      signal: call.signal,
    });
    if (--this.#underWay === 0 && this.#closed) this.#idle.resolve();
    if (result.kind === 'answer') this.#tlsPeer?.worked();
    else this.#tlsPeer?.failed(result.error);
    return result;
  }
}

interface Call {
  readonly body?: string | Uint8Array | Readable;
  /** Timeout in milliseconds; default is the client's. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly longestAnswer?: number;
}

const templatesPath = ({ accountId }: BusinessAccount) =>
  `/${encodeURIComponent(accountId)}/message_templates`;
