import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LandlineCodes } from '../../audience/landline-codes.ts';
import type { LinkedVerification, VerifiedPhones } from '../../audience/verified-phones.ts';
import { displayNumber } from '../../numbers/numbers.ts';
import type { Logger } from '../../observability/log.ts';
import { harmlessName } from '../../text/harmless-name.ts';
import { escapeHtml } from '../../text/html.ts';
import { framePages, isCrossSite, MAX_BODY } from './frame.ts';
import { languageFor, sendPage } from './page.ts';
import { verifyWords } from './verify-words.ts';

interface VerifyPagesOptions {
  readonly verifiedPhones: VerifiedPhones;
  readonly landlineCodes: LandlineCodes;
  readonly log: Logger;
  /** The number that landlines call. */
  readonly callNumber: string | undefined;
}

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * The page of a verification, a Fastify plugin: `GET /v/:token` says who wants to send from which number and changes
 * nothing, since previews fetch what stands in a message. `POST /v/:token` finishes it: of a mobile by the press of the
 * button, since the link was sent there; of a landline by the code that a call to it spoke, since anybody may have the
 * link. A press that another site caused shows the page. In the language of the browser: whose telephone it is, only it
 * knows.
 */
export async function verifyPages(app: FastifyInstance, options: VerifyPagesOptions): Promise<void> {
  const { verifiedPhones, landlineCodes, log, callNumber } = options;
  const frame = framePages(app, log);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );

  app.get('/v/:token', async (request: TokenRequest, reply) => {
    const found = await verifiedPhones.find(request.params.token);
    return found ? show(request, reply, found, callNumber) : frame.unknown(request, reply);
  });

  app.post('/v/:token', async (request: TokenRequest, reply) => {
    const { token } = request.params;
    let isWrong = false;
    if (!isCrossSite(request)) {
      const code = request.body instanceof URLSearchParams ? request.body.get('code') : null;
      if (code === null) await verifiedPhones.confirm(token);
      else isWrong = !(await landlineCodes.enter(token, code.trim()));
    }
    // A second press, or another link of the same number, finds it confirmed.
    const found = await verifiedPhones.find(token);
    return found ? show(request, reply, found, callNumber, isWrong) : frame.unknown(request, reply);
  });
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  found: LinkedVerification,
  callNumber = '',
  isWrong = false,
): FastifyReply {
  const language = languageFor(request.headers['accept-language']);
  const words = verifyWords[language];
  const values: Readonly<Record<string, string>> = {
    account: escapeHtml(harmlessName(found.accountName)),
    phone: displayNumber(found.phone),
    number: escapeHtml(callNumber),
  };
  // In one go: a name may look like the place of the number.
  const text = (template: string) =>
    template.replace(/\{(account|phone|number)\}/g, (_place, what) => `<bdi>${values[what]}</bdi>`);
  if (found.confirmed) {
    return sendPage(reply, 200, {
      language,
      title: words.doneTitle,
      body: `<p role="status">${text(words.doneText)}</p>`,
    });
  }
  // Without an action the form goes to where the page came from, whatever stands in front of this service.
  const body = found.landline
    ? `<p>${text(words.codeText)}</p>
${isWrong ? `<p role="alert">${words.codeWrong}</p>\n` : ''}<form method="post"><p><label>${words.codeLabel}
<input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6" required dir="ltr"></label></p>
<button type="submit">${words.askButton}</button></form>`
    : `<p>${text(words.askText)}</p>
<form method="post"><button type="submit">${words.askButton}</button></form>`;
  return sendPage(reply, 200, { language, title: words.askTitle, body });
}
