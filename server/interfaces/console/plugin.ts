import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../observability/log.ts';
import { type BuiltFile, readBuilt, sendBuilt } from '../built-files.ts';
import { sendPage } from '../public-pages/page.ts';

interface ConsolePagesOptions {
  /** First segments of the paths that other APIs have (`reserveSegments`). */
  readonly reserved: ReadonlySet<string>;
  readonly log: Pick<Logger, 'warn'>;
  /** Where it was built. */
  readonly folder?: string;
}

/** What console/vite.config.ts puts where the nonce goes. */
const NONCE = '__CSP_NONCE__';

/** Where the files are whose names have a hash. */
const ASSETS = '/assets/';

const builtFolder = join(import.meta.dirname, '../../../console/dist');

/**
 * What every page of the console may do: run our own scripts and apply our own styles, and those that carry the nonce of
 * this very answer (Mantine makes its variables in the browser); show pictures and videos of chat messages from
 * anywhere; play what phones of the sandbox heard; ask this service; and nothing else. No other page shows it in a frame.
 * Mails are shown in frames with documents of their own (srcdoc), which have this policy too and run nothing (sandbox): they
 * live by attributes of style, so those, and no more, may be inline. Frames with mails of clients add a policy that loads
 * nothing (`ReceivedMailFrame`).
 */
const policyWith = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' https: data: blob:",
    "media-src 'self' https: blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const headers = {
  // The handset records voice notes.
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
};

/**
 * Gathers the first segments of the paths that are registered on `app` after this call: they are never a page of the
 * console.
 */
export function reserveSegments(app: FastifyInstance): ReadonlySet<string> {
  const segments = new Set<string>();
  app.addHook('onRoute', ({ url }) => {
    segments.add(firstSegment(url));
  });
  return segments;
}

/**
 * The console, a Fastify plugin: its files at `/`, and its one page for every address that no other API has, so that
 * the addresses of its pages can be opened and sent. It takes the place of the answer to unknown paths.
 */
export async function consolePages(app: FastifyInstance, options: ConsolePagesOptions): Promise<void> {
  const files = readBuilt(options.folder ?? builtFolder, { name: 'the console', log: options.log });
  const page = files?.get('/index.html')?.plain.toString().split(NONCE);

  function sendConsole(reply: FastifyReply): FastifyReply {
    if (!page) {
      return sendPage(reply, 503, {
        language: 'en',
        title: 'The console was not built',
        body: '<p>Run <code>npm run build</code> where the service is, then start it again. <code>npm start</code> does both.</p><p>All else works: <a href="/docs">the interface and its description</a>.</p>',
      });
    }
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyWith(nonce),
      })
      .send(page.join(nonce));
  }

  app.get('/', (_request, reply) => sendConsole(reply));
  for (const [path, file] of files ?? []) {
    if (path === '/index.html' || path.startsWith(ASSETS)) continue;
    app.get(path, (request, reply) => sendFile(request, reply, file));
  }
  // One route, not one for each of its 180 files, which every start of the service would add.
  app.get<{ Params: { '*': string } }>(`${ASSETS}*`, (request, reply) => {
    const file = files?.get(ASSETS + request.params['*']);
    return file ? sendFile(request, reply, file) : reply.callNotFound();
  });
  app.setNotFoundHandler((request, reply) => {
    const { method, url } = request;
    const asksPage =
      (method === 'GET' || method === 'HEAD') &&
      (request.headers.accept ?? '').includes('text/html') &&
      !options.reserved.has(firstSegment(url)) &&
      // What has an ending is a file, of an older console perhaps; a page in its place would not be understood.
      !/\.\w+$/.test(url.split('?')[0]!);
    if (asksPage) return sendConsole(reply);
    return reply
      .code(404)
      .send({ statusCode: 404, error: 'Not Found', message: `Route ${method}:${url} not found` });
  });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  // A picture can be opened as a page of its own, and would then run what is in it.
  reply.headers({ ...headers, 'content-security-policy': "default-src 'none'; sandbox" });
  return sendBuilt(request, reply, file);
}

function firstSegment(url: string): string {
  return url.split(/[/?]/, 2)[1] ?? '';
}
