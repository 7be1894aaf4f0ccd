import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../kit/text/html.ts';
import { TimeSlice } from '../../kit/time-slices.ts';
import { sendBuilt } from '../built-files.ts';
import type { Described } from '../openapi/description.ts';
import { createDocument, type Document } from '../openapi/document.ts';
import { describeSmsApi } from '../sms/description.ts';
import { operations } from '../sms/operations/index.ts';
import { v1Description } from '../v1/kit/description.ts';
import { TextFiles } from './files.ts';
import { chapterPage, chaptersOf, contentSecurityPolicy, INDEX, indexPage } from './page.ts';
import { ADDRESS } from './place.ts';

interface DocsPagesOptions {
  readonly version: string;
  /** From `gatherRoutes`. Read at the first request, so that it includes APIs registered later. */
  readonly routes: readonly Described[];
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const asset = (...names: readonly string[]) =>
  names.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('');

/** Styles and scripts of the pages, with their types. */
const assets = [
  [`${INDEX}/page.css`, 'text/css; charset=utf-8', asset('theme.css', 'page.css')],
  [`${INDEX}/page.js`, SCRIPT, asset('page.js')],
  [`${INDEX}/try.js`, SCRIPT, asset('try.js')],
] as const;

/**
 * Fastify plugin of the API reference: the index at `/docs`, a page for each chapter, and the OpenAPI 3.1 document at
 * `/docs/openapi.json`. The first request generates them from the schemas that read requests; the answers are compressed.
 */
export async function docsPages(app: FastifyInstance, options: DocsPagesOptions): Promise<void> {
  const files = new TextFiles();
  let made: Promise<Document> | undefined;
  async function make(): Promise<Document> {
    const slice = new TimeSlice();
    for (const route of options.routes) {
      // Creates the description of one route.
      void route.about;
      if (slice.isOverNow) await slice.rest();
    }
    const sms = describeSmsApi(operations);
    await slice.rest();
    return createDocument(options.version, [sms, { operations: options.routes, ...v1Description }]);
  }
  function document(): Promise<Document> {
    made ??= make();
    return made;
  }

  app.get(INDEX, async (request, reply) => {
    const described = await document();
    const file = await files.get(INDEX, HTML, () => indexPage(described));
    return sendBuilt(request, reply.header('content-security-policy', contentSecurityPolicy), file);
  });

  app.get<{ Params: { chapter: string } }>(`${INDEX}/api/:chapter`, async (request, reply) => {
    const described = await document();
    const chapters = chaptersOf(described);
    const shown = chapters.find(({ slug }) => slug === request.params.chapter);
    if (!shown) {
      reply.callNotFound();
      return reply;
    }
    const address = addressAsked(request);
    const file = await files.get(`${shown.slug} ${address}`, HTML, () =>
      chapterPage(described, chapters, shown).replaceAll(escapeHtml(ADDRESS), escapeHtml(address)),
    );
    return sendBuilt(request, reply.header('content-security-policy', contentSecurityPolicy), file);
  });

  for (const [path, type, text] of assets) {
    app.get(path, async (request, reply) =>
      sendBuilt(request, reply, await files.get(path, type, () => text)),
    );
  }

  app.get(`${INDEX}/openapi.json`, async (request, reply) => {
    const described = await document();
    const file = await files.get('openapi', 'application/json; charset=utf-8', () =>
      JSON.stringify(described),
    );
    return sendBuilt(request, readableElsewhere(reply), file);
  });
}

// Browser-based tools fetch it from their own site, and it contains no secrets.
const readableElsewhere = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });

/** Returns the address of the request, so that the examples work where the page is read. */
function addressAsked({ protocol, host }: FastifyRequest): string {
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host)
    ? `${protocol}://${host}`
    : 'http://localhost:8080';
}
