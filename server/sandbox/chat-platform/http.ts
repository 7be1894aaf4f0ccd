import { setTimeout as pause } from 'node:timers/promises';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { integerOf, parseJson, textOf } from '../../protocols/chat-platform/json.ts';
import { errorBody, httpStatusOf, noObject, PlatformRefusal } from './errors.ts';
import type { MediaFiles } from './media-files.ts';
import type { NotifiedNumber } from './notifier.ts';
import type { SandboxPlatformBehaviour } from './options.ts';
import type { SandboxTemplate } from './prepared.ts';
import type { TemplateStore } from './templates.ts';
import type { Uploads } from './uploads.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const longestBody = 101 * 1024 * 1024;
const pageSize = 25;
const largestPage = 1_000;

type Query = Readonly<Record<string, string | undefined>>;
type FileRequest = FastifyRequest<{ Params: { file: string }; Querystring: Query }>;
type NodeRequest = FastifyRequest<{ Params: { version: string; id: string }; Querystring: Query }>;

/** Implementation behind the HTTP API. Its methods throw PlatformRefusal. */
export interface PlatformApi {
  readonly behaviour: Pick<SandboxPlatformBehaviour, 'answerDelayMs' | 'onMedia' | 'rate'>;
  readonly uploads: Uploads;
  readonly files: MediaFiles;
  readonly now: number;
  /** Returns the account of a token. */
  account(token: string): {
    readonly accountId: string;
    readonly numbers: ReadonlyMap<string, NotifiedNumber>;
    readonly templates: TemplateStore;
  };
  qualityOfTemplate(templateId: string): string;
  isApp(appId: string): boolean;
  /** Accepts a message. `cut` means that the connection must be cut instead of answering. */
  send(token: string, phoneNumberId: string, body: unknown): { id: string; to: string; cut: boolean };
  /** Accepts a template for review. `sampleLink` returns the link of an upload's handle. */
  submit(token: string, body: unknown, sampleLink: (handle: string) => string | undefined): SandboxTemplate;
  /** Changes the components of a template, which is reviewed again. */
  edit(token: string, id: string, body: unknown, sampleLink: (handle: string) => string | undefined): void;
  /** Stores a file for sending, and returns its id. */
  upload(token: string, phoneNumberId: string, file: { bytes: Buffer; mimeType: string }): string;
  deleteTemplates(token: string, name: string, id: string | undefined): void;
}

/** The platform's HTTP API: messages, templates, uploads of templates' examples. */
export function createPlatformServer(platform: PlatformApi): FastifyInstance {
  const app = fastify({
    bodyLimit: longestBody,
    forceCloseConnections: true,
    keepAliveTimeout: 60_000,
    routerOptions: { maxParamLength: 500 },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => refuse(reply, error));
  app.setNotFoundHandler((_request, reply) =>
    refuse(reply, new PlatformRefusal(2500, 'Unknown path components')),
  );
  app.addHook('preParsing', async (request) => {
    const { version } = request.params as { version?: string };
    if (version !== undefined && !/^v\d{1,2}\.\d$/.test(version)) {
      throw new PlatformRefusal(2500, 'Unknown path components');
    }
  });

  app.post('/:version/:id/messages', (request: NodeRequest, reply) => {
    let sent: ReturnType<PlatformApi['send']>;
    try {
      sent = platform.send(bearer(request), request.params.id, jsonOf(request));
    } catch (error) {
      refuse(reply, error);
      return;
    }
    const { id, to, cut } = sent;
    if (cut) {
      reply.hijack();
      request.raw.socket.destroy();
      return;
    }
    const answer = `{"messaging_product":"whatsapp","contacts":[{"input":"+${to}","wa_id":"${to}"}],"messages":[{"id":"${id}","message_status":"accepted"}]}`;
    const { answerDelayMs } = platform.behaviour;
    if (answerDelayMs === 0) reply.type(JSON_TYPE).send(answer);
    else if (answerDelayMs === Number.POSITIVE_INFINITY) reply.hijack();
    else void pause(answerDelayMs).then(() => reply.type(JSON_TYPE).send(answer));
  });

  app.get('/:version/:id/phone_numbers', async (request: NodeRequest) => {
    const { numbers } = ownAccount(platform, request);
    const data = [...numbers.values()].map(({ phoneNumberId, number }) => ({
      id: phoneNumberId,
      display_phone_number: `+${number}`,
      quality_rating: platform.behaviour.rate?.(phoneNumberId) ?? 'UNKNOWN',
    }));
    return { data };
  });

  templateRoutes(app, platform);
  mediaRoutes(app, platform);
  return app;
}

/** Routes that submit, list, change and delete templates, and upload their samples. */
function templateRoutes(app: FastifyInstance, platform: PlatformApi): void {
  const sampleLinkOf = (request: FastifyRequest) => (handle: string) =>
    platform.uploads.get(handle) && `http://${request.host}/samples/${encodeURIComponent(handle)}`;

  app.post('/:version/:id/message_templates', async (request: NodeRequest) => {
    ownAccount(platform, request);
    const { id, status, category } = platform.submit(bearer(request), jsonOf(request), sampleLinkOf(request));
    return { id, status, category };
  });

  app.get('/:version/:id/message_templates', async (request: NodeRequest) => {
    const { templates } = ownAccount(platform, request);
    const { name, after, limit } = request.query;
    const all = templates.all.filter((each) => name === undefined || each.name.includes(name));
    const from = Number(Buffer.from(after ?? '', 'base64url').toString()) || 0;
    const data = all.slice(from, from + Math.min(integerOf(limit) ?? pageSize, largestPage));
    const end = from + data.length;
    const cursor = (place: number) => Buffer.from(String(place)).toString('base64url');
    const path = request.url.split('?')[0]!;
    const next = new URLSearchParams({ ...(request.query as Record<string, string>), after: cursor(end) });
    return {
      data: data.map((template) => ({
        ...template,
        quality_score: { score: platform.qualityOfTemplate(template.id) },
      })),
      paging: {
        cursors: { before: cursor(from), after: cursor(end) },
        ...(end < all.length && { next: `http://${request.host}${path}?${next}` }),
      },
    };
  });

  app.delete('/:version/:id/message_templates', async (request: NodeRequest) => {
    ownAccount(platform, request);
    const { name, hsm_id: id } = request.query;
    if (name === undefined) throw new PlatformRefusal(100, 'The parameter name is required.');
    platform.deleteTemplates(bearer(request), name, id);
    return { success: true };
  });

  app.post('/:version/:id/uploads', async (request: NodeRequest) => {
    platform.account(bearer(request));
    if (!platform.isApp(request.params.id)) throw noObject(request.params.id);
    const { file_length: length, file_type: type } = request.query;
    return { id: platform.uploads.begin(integerOf(length) ?? 0, textOf(type)) };
  });

  app.post('/:version/:id', async (request: NodeRequest) => {
    if (!request.params.id.startsWith('upload:')) {
      platform.edit(bearer(request), request.params.id, jsonOf(request), sampleLinkOf(request));
      return { success: true };
    }
    platform.account(bearer(request, 'OAuth'));
    if (request.headers.file_offset !== '0') throw new PlatformRefusal(100, 'file_offset must be 0');
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    return { h: platform.uploads.finish(request.params.id, bytes) };
  });

  app.get('/samples/:handle', async (request: FastifyRequest<{ Params: { handle: string } }>, reply) => {
    const sample = platform.uploads.get(request.params.handle);
    if (!sample) return reply.code(404).send();
    return reply.type(sample.mimeType).send(sample.bytes);
  });
}

/** Routes of files: uploads, addresses, and the files themselves. Templates share the path. */
function mediaRoutes(app: FastifyInstance, platform: PlatformApi): void {
  const meddle = (step: 'find' | 'download' | 'upload', id: string) => platform.behaviour.onMedia?.(step, id);

  app.post('/:version/:id/media', async (request: NodeRequest, reply) => {
    const status = meddle('upload', request.params.id);
    if (typeof status === 'number') return reply.code(status).send();
    const form = await formOf(request);
    const file = form.get('file');
    if (form.get('messaging_product') !== 'whatsapp' || !(file instanceof Blob)) {
      throw new PlatformRefusal(100, 'messaging_product and file are required');
    }
    const bytes = Buffer.from(await file.arrayBuffer());
    const mimeType = String(form.get('type') ?? file.type);
    return { id: platform.upload(bearer(request), request.params.id, { bytes, mimeType }) };
  });

  app.get('/:version/:id', async (request: NodeRequest, reply) => {
    const { id } = request.params;
    const { accountId, templates } = platform.account(bearer(request));
    const template = templates.get(id);
    if (template) return template;
    const status = meddle('find', id);
    if (typeof status === 'number') return reply.code(status).send();
    return platform.files.describe(accountId, id, `http://${request.host}`, platform.now);
  });

  app.get('/media-files/:file', async (request: FileRequest, reply) => {
    const { accountId } = platform.account(bearer(request));
    const file = platform.files.at(accountId, request.params.file, request.query.oe, platform.now);
    if (!file) return reply.code(404).send();
    const answer = meddle('download', file.id);
    if (typeof answer === 'number') return reply.code(answer).send();
    reply.type(file.mimeType);
    if (answer !== 'half') return reply.send(file.bytes);
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': file.mimeType, 'content-length': file.bytes.length });
    reply.raw.write(file.bytes.subarray(0, file.bytes.length / 2));
    return reply;
  });
}

/** Parses a multipart body. Throws PlatformRefusal when it is malformed. */
async function formOf(request: FastifyRequest): Promise<FormData> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  try {
    return await new Response(request.body as Buffer<ArrayBuffer>, { headers }).formData();
  } catch {
    throw new PlatformRefusal(100, 'the body is no form');
  }
}

function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  const refusal =
    error instanceof PlatformRefusal ? error : new PlatformRefusal(131000, 'an error of the sandbox');
  return reply.code(httpStatusOf(refusal.code)).type(JSON_TYPE).send(errorBody(refusal));
}

function bearer(request: FastifyRequest, scheme: 'Bearer' | 'OAuth' = 'Bearer'): string {
  const { authorization = '' } = request.headers;
  return authorization.startsWith(`${scheme} `) ? authorization.slice(scheme.length + 1) : '';
}

/** Returns the account of the token, which must match the path. */
function ownAccount(platform: PlatformApi, request: NodeRequest) {
  const account = platform.account(bearer(request));
  if (account.accountId !== request.params.id) throw noObject(request.params.id);
  return account;
}

function jsonOf(request: FastifyRequest): unknown {
  const type = request.headers['content-type'] ?? '';
  const body = type.startsWith('application/json') ? parseJson(String(request.body)) : undefined;
  if (typeof body !== 'object' || body === null) {
    throw new PlatformRefusal(100, 'The request body is not a JSON object');
  }
  return body;
}
