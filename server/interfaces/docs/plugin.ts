import type { FastifyInstance, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../text/html.ts';
import { TimeSlice } from '../../time-slices.ts';
import type { Described } from '../openapi/description.ts';
import { createDocument } from '../openapi/document.ts';
import { describeSmsApi } from '../sms-api/description.ts';
import { operations } from '../sms-api/operations/index.ts';
import { v1Description } from '../v1/kit/description.ts';
import { contentSecurityPolicy, docsPage } from './page.ts';
import { ADDRESS } from './place.ts';

interface DocsPagesOptions {
  readonly version: string;
  /** `gatherRoutes`. Read when somebody asks first, so that APIs that are registered later are in it. */
  readonly routes: readonly Described[];
}

/**
 * The description of the service, a Fastify plugin: `GET /docs`, a page for people, and `GET /docs/openapi.json`, the
 * OpenAPI 3.1 document that it is made of. Both are made once, of the schemas that requests are read with.
 */
export async function docsPages(app: FastifyInstance, options: DocsPagesOptions): Promise<void> {
  let made: Promise<{ readonly json: string; readonly page: readonly string[] }> | undefined;
  async function make() {
    const slice = new TimeSlice();
    for (const route of options.routes) {
      // Makes the description of one route.
      void route.about;
      if (slice.isOverNow) await slice.rest();
    }
    const sms = describeSmsApi(operations);
    await slice.rest();
    const document = createDocument(options.version, [sms, { operations: options.routes, ...v1Description }]);
    return { json: JSON.stringify(document), page: docsPage(document).split(escapeHtml(ADDRESS)) };
  }
  const pages = () => {
    made ??= make();
    return made;
  };

  app.get('/docs', async (request, reply) => {
    const address = escapeHtml(addressAsked(request));
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy,
        'cache-control': 'no-cache',
      })
      .send((await pages()).page.join(address));
  });

  app.get('/docs/openapi.json', async (_request, reply) =>
    reply
      .headers({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-cache',
        // Tools that run in a browser fetch it from their own site; there is nothing secret in it.
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      .send((await pages()).json),
  );
}

/** The address that the page was asked at: that its examples work where it is read. */
function addressAsked({ protocol, host }: FastifyRequest): string {
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host)
    ? `${protocol}://${host}`
    : 'http://localhost:8080';
}
