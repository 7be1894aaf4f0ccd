import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LinkedVerification, VerifiedPhones } from '../../audience/verified-phones.ts';
import { displayNumber } from '../../numbers/numbers.ts';
import type { Logger } from '../../observability/log.ts';
import { harmlessName } from '../../text/harmless-name.ts';
import { escapeHtml } from '../../text/html.ts';
import { framePages } from './frame.ts';
import { languageFor, sendPage } from './page.ts';
import { verifyWords } from './verify-words.ts';

export interface VerifyPagesOptions {
  readonly verifiedPhones: VerifiedPhones;
  readonly log: Logger;
}

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * The page behind the link of a verification SMS, a Fastify plugin: `GET /v/:token` says who wants to send from which
 * number and changes nothing, since previews fetch what stands in a message; `POST /v/:token`, the press of its button,
 * lets them. In the language of the browser: whose telephone it is, only it knows.
 */
export async function verifyPages(app: FastifyInstance, options: VerifyPagesOptions): Promise<void> {
  const { verifiedPhones, log } = options;
  const frame = framePages(app, log);

  app.get('/v/:token', async (request: TokenRequest, reply) => {
    const found = await verifiedPhones.find(request.params.token);
    return found ? show(request, reply, found) : frame.unknown(request, reply);
  });

  app.post('/v/:token', async (request: TokenRequest, reply) => {
    const { token } = request.params;
    await verifiedPhones.confirm(token);
    // A second press, or another link of the same number, finds it confirmed.
    const found = await verifiedPhones.find(token);
    return found ? show(request, reply, found) : frame.unknown(request, reply);
  });
}

function show(request: FastifyRequest, reply: FastifyReply, found: LinkedVerification): FastifyReply {
  const language = languageFor(request.headers['accept-language']);
  const { askTitle, askText, askButton, doneTitle, doneText } = verifyWords[language];
  // In one go: a name may look like the place of the number.
  const text = (template: string) =>
    template.replace(/\{(account|phone)\}/g, (_place, what) => {
      const value =
        what === 'account' ? escapeHtml(harmlessName(found.accountName)) : displayNumber(found.phone);
      return `<bdi>${value}</bdi>`;
    });
  if (found.confirmed) {
    return sendPage(reply, 200, {
      language,
      title: doneTitle,
      body: `<p role="status">${text(doneText)}</p>`,
    });
  }
  return sendPage(reply, 200, {
    language,
    title: askTitle,
    // Without an action the form goes to where the page came from, whatever stands in front of this service.
    body: `<p>${text(askText)}</p>
<form method="post"><button type="submit">${askButton}</button></form>`,
  });
}
