import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../kit/observability/log.ts';
import { type BuiltFile, readBuilt, sendBuilt } from '../built-files.ts';
import { sendPage } from '../public-pages/page.ts';

interface ConsolePagesOptions {
  /** First segments of the paths that other APIs have (`reserveSegments`). */
  readonly reserved: ReadonlySet<string>;
  readonly log: Pick<Logger, 'warn'>;
  /** Folder of the build. */
  readonly folder?: string;
}

/** Placeholder that console/vite.config.ts writes in place of the nonce. */
const NONCE = '__CSP_NONCE__';

/** Path of files whose names contain a hash. */
const ASSETS = '/assets/';

const builtFolder = fileURLToPath(new URL('../../../console/dist', import.meta.url));

/**
 * Content security policy of every page of the console. Pages may run our own scripts, apply our own styles and those
 * with the nonce of this response (Mantine creates its variables in the browser), show images and videos of chat
 * messages from any https address, play audio that sandbox phones received, and call this service. No other page may
 * show the console in a frame. Emails are shown in frames with their own documents (srcdoc), which inherit this policy
 * and run nothing (sandbox). Their layout depends on style attributes, so only those may be inline. Frames with emails
 * of clients add a policy that loads nothing (`ReceivedMailFrame`).
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
  // The simulated phone records voice notes.
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
};

/**
 * Collects the first path segments of the routes registered on `app` after this call; these paths are never pages of
 * the console.
 */
export function reserveSegments(app: FastifyInstance): ReadonlySet<string> {
  const segments = new Set<string>();
  app.addHook('onRoute', ({ url }) => {
    segments.add(firstSegment(url));
  });
  return segments;
}

/**
 * The console, a Fastify plugin: its files at `/`, and its single page for every address that no other API has, so that
 * addresses of its pages can be opened and shared. Replaces the response to unknown paths.
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
  // A single route, because one for each of its 180 files would slow down every start of the service.
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
      // A path with an extension is a file, perhaps of an older console. The page in its place would be useless.
      !/\.\w+$/.test(url.split('?')[0]!);
    if (asksPage) return sendConsole(reply);
    return reply
      .code(404)
      .send({ statusCode: 404, error: 'Not Found', message: `Route ${method}:${url} not found` });
  });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  // An image can be opened as a page, and would then run scripts that it contains.
  reply.headers({ ...headers, 'content-security-policy': "default-src 'none'; sandbox" });
  return sendBuilt(request, reply, file);
}

function firstSegment(url: string): string {
  return url.split(/[/?]/, 2)[1] ?? '';
}
