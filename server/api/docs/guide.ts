import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../kit/observability/log.ts';
import { readBuilt, sendBuilt } from '../built-files.ts';
import { sendPage } from '../public-pages/page.ts';

interface GuidePagesOptions {
  readonly log: Pick<Logger, 'warn'>;
  /** Folder of the build. */
  readonly folder?: string;
}

const builtFolder = fileURLToPath(new URL('../../../site/dist', import.meta.url));

/** Pages load files from their own site: scripts, styles, images and the index of the search. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The documentation (site/build.ts), a Fastify plugin: its pages at `/docs/guide` and below, without file extensions.
 */
export async function guidePages(app: FastifyInstance, options: GuidePagesOptions): Promise<void> {
  const files = readBuilt(options.folder ?? builtFolder, { name: 'the documentation', log: options.log });

  function sendFile(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
    if (!files) {
      return sendPage(reply, 503, {
        language: 'en',
        title: 'The documentation was not built',
        body: '<p>Run <code>npm run build</code> where the service is, then start it again. <code>npm start</code> does both.</p><p>All else works: <a href="/docs">the interface and its description</a>.</p>',
      });
    }
    reply.header('content-security-policy', contentSecurityPolicy);
    const file = files.get(path.startsWith('/assets/') ? path : `${path === '/' ? '/index' : path}.html`);
    if (file) return sendBuilt(request, reply, file);
    const missing = files.get('/404.html');
    if (missing && (request.headers.accept ?? '').includes('text/html')) {
      return reply.code(404).header('content-type', missing.type).send(missing.plain);
    }
    reply.callNotFound();
    return reply;
  }

  app.get('/docs/guide', (request, reply) => sendFile(request, reply, '/'));
  app.get<{ Params: { '*': string } }>('/docs/guide/*', (request, reply) =>
    sendFile(request, reply, `/${request.params['*']}`),
  );
}
