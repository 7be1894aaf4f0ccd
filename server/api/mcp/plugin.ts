import {
  type CallToolResult,
  createMcpHandler,
  type McpHttpHandler,
  McpServer,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../kit/clock.ts';
import { Refusal } from '../../kit/errors.ts';
import { version } from '../../kit/version.ts';
import { decide } from '../access/decide.ts';
import type { AccessRules } from '../access/table.ts';
import { authorize } from '../access.ts';
import { readJson, Unreadable } from '../bodies/json-body.ts';
import { type KnownOwner, signInOwner } from '../sign-in.ts';
import { judgeFault, TokenApi, type TokenApiOptions } from '../token-api.ts';
import { codeOf, httpStatusOf } from '../v1/errors.ts';
import { chatTools } from './chat-tools.ts';
import { Confirmations } from './confirmations.ts';
import { readingTools } from './reading-tools.ts';
import { smsTools } from './sms-tools.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { ToolError, type ToolProblem } from './tool-error.ts';
import { type V1Route, v1CallsOf } from './v1-calls.ts';

/** Maximum bytes of a message. The largest legal call has 500 numbers and a text. */
const MAX_BODY = 256 * 1024;

/** Headers of the transport. The token stays outside of the SDK. */
const transportHeaders = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** Codes of JSON-RPC 2.0, and the one for errors of the server that it leaves to it. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;

const tools = [...smsTools, ...chatTools, ...readingTools];

interface McpOptions extends Omit<TokenApiOptions, 'aliases'> {
  readonly accessRules: AccessRules;
  readonly clock: Clock;
  readonly confirmationKey: Buffer;
  /** Address of the pages of the service. */
  readonly pageBase: () => string;
}

/** The caller of a message, as it passes through the SDK. */
interface Extra extends Record<string, unknown> {
  readonly allowed: readonly Tool[];
  readonly context: ToolContext;
  readonly request: FastifyRequest;
}

/** The MCP server by streamable HTTP, a Fastify plugin (needs @fastify/rate-limit). */
export async function mcpApi(app: FastifyInstance, options: McpOptions): Promise<void> {
  const handler = async (_request: FastifyRequest, reply: FastifyReply) =>
    reply.code(405).header('allow', 'POST').send(rpcError(SERVER_ERROR, 'only POST is supported'));
  for (const method of ['GET', 'DELETE'] as const) {
    // Runs before the body is parsed: clients send DELETE with the type of JSON and an empty body.
    app.route({ method, url: '/mcp', exposeHeadRoute: false, onRequest: handler, handler });
  }
  await app.register(async (scope) => new McpApi(scope, options).routes(scope), { prefix: '/mcp' });
}

/** A message without an id, because the request was not read. */
const rpcError = (code: number, message: string, data?: object) => ({
  jsonrpc: '2.0',
  error: { code, message, ...(data && { data }) },
  id: null,
});

class McpApi extends TokenApi {
  readonly #app: FastifyInstance;
  readonly #options: McpOptions;
  readonly #confirmations: Confirmations;
  readonly #owners = new WeakMap<FastifyRequest, KnownOwner>();
  readonly #types = new WeakMap<FastifyRequest, string>();
  readonly #handler: McpHttpHandler;

  constructor(app: FastifyInstance, options: McpOptions) {
    super(app, { ...options, aliases: [] });
    this.#app = app;
    this.#options = options;
    this.#confirmations = new Confirmations(options.confirmationKey, options.clock);
    // No stream stays open, so any process can answer the next message.
    this.#handler = createMcpHandler(({ authInfo }) => this.#serverOf(authInfo!.extra as Extra), {
      maxSubscriptions: 0,
    });
  }

  routes(app: FastifyInstance): void {
    app.addHook('onRequest', async (request) => {
      this.#types.set(request, request.headers['content-type'] ?? '');
    });
    this.frame(app);
    app.post('', (request, reply) => this.#serve(request, reply));
    app.addHook('onClose', () => this.#handler.close());
  }

  protected maxBody(): number {
    return MAX_BODY;
  }

  protected async signIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.#checkOrigin(request);
    const owner = await signInOwner(this.signInDeps, request.headers.authorization, request.ip);
    // Unknown paths have no rule.
    const { access } = request.routeOptions.config;
    if (access) authorize(request, { kind: 'token', scopes: owner.grant.scopes });
    this.accounts.set(request, owner.caller);
    this.#owners.set(request, owner);
    await this.accountLimit(request, reply);
  }

  protected refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (error instanceof Unreadable) {
      return reply.code(error.statusCode).send(rpcError(PARSE_ERROR, error.message));
    }
    if (error instanceof Refusal) {
      const http = httpStatusOf(codeOf(error));
      if (http === 401) reply.header('www-authenticate', 'Bearer realm="Carillon"');
      return reply.code(http).send(rpcError(SERVER_ERROR, error.message, { code: codeOf(error) }));
    }
    const { kind, message } = judgeFault(error, request, this.log);
    return reply.code(kind === 'fault' ? 500 : 503).send(rpcError(SERVER_ERROR, message));
  }

  /**
   * The transport demands it against DNS rebinding: a page that resolves its own name to this service has its own origin.
   * Programs send none.
   */
  #checkOrigin({ headers: { origin } }: FastifyRequest): void {
    if (origin === undefined || origin === new URL(this.#options.pageBase()).origin) return;
    throw new Refusal('not-allowed', 'requests of pages of other sites are refused', 'Origin');
  }

  async #serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const parsedBody = await readJson(request.body as Buffer);
    if (Array.isArray(parsedBody)) {
      return reply.code(400).send(rpcError(INVALID_REQUEST, 'send one message in each request'));
    }
    const { caller, grant, value } = this.#owners.get(request)!;
    const call = v1CallsOf(this.#app, { token: value, address: request.ip });
    const { sendKeys, clock, accessRules } = this.#options;
    const mayCall = (route: V1Route) => {
      const [method, path] = route.split(' ') as [string, string];
      return decide(accessRules.of(method, path), { kind: 'token', scopes: grant.scopes }).allowed;
    };
    const extra: Extra = {
      request,
      allowed: tools.filter(({ routes }) => routes.every(mayCall)),
      context: {
        accountId: caller.id,
        call,
        confirmations: this.#confirmations,
        now: () => clock.now(),
        isDone: (sendKey) => sendKeys.isUsed(caller.id, sendKey),
      },
    };
    const authInfo = { token: '', clientId: String(caller.id), scopes: [...grant.scopes], extra };
    const answer = await this.#handler.fetch(this.#requestOf(request), { parsedBody, authInfo });
    reply.code(answer.status);
    const type = answer.headers.get('content-type');
    if (type !== null) reply.type(type);
    return reply.send(await answer.text());
  }

  #requestOf(request: FastifyRequest): Request {
    const headers = new Headers({ 'content-type': this.#types.get(request)! });
    for (const name of transportHeaders) {
      const value = request.headers[name];
      if (value !== undefined) headers.set(name, String(value));
    }
    return new Request('http://localhost/mcp', { method: 'POST', headers });
  }

  /** Returns the server of one message, with the tools of its caller. */
  #serverOf({ allowed, context, request }: Extra): McpServer {
    const server = new McpServer(
      { name: 'carillon', title: 'Carillon', version },
      {
        instructions:
          'Messaging of one account: SMS, calls, chat and email. Prices and balances are in credits. Tools that spend make a dry run first.',
      },
    );
    for (const { name, title, description, input, annotations, run } of allowed) {
      const config = { title, description, inputSchema: input, annotations };
      server.registerTool(name, config, (args) => this.#run(() => run(args as never, context), request));
    }
    return server;
  }

  async #run(act: () => Promise<ToolResult>, request: FastifyRequest): Promise<CallToolResult> {
    try {
      const { fields, advice } = await act();
      return resultOf({ ...fields }, advice);
    } catch (error) {
      if (error instanceof ToolError) return { ...resultOf({ error: error.problem }), isError: true };
      const { kind, message } = judgeFault(error, request, this.log);
      const problem: ToolProblem = { code: kind === 'fault' ? 'fault' : 'try-again', message };
      return { ...resultOf({ error: problem }), isError: true };
    }
  }
}

/** Clients without structured content read the text. */
function resultOf(fields: Record<string, unknown>, advice?: string): CallToolResult {
  const text = JSON.stringify(fields);
  return {
    content: [
      ...(advice === undefined ? [] : [{ type: 'text' as const, text: advice }]),
      { type: 'text', text },
    ],
    structuredContent: fields,
  };
}
