import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { displayNumber } from '../../kit/numbers/phone-numbers.ts';
import type { LinkedVerification } from '../../modules/audience/verified-phones.ts';
import type { CoreContext } from '../../run/services.ts';
import { framePages, isCrossSite, MAX_BODY } from './frame.ts';
import { type Brand, brandOf, buttonForm, languageFor, sendPage, withNames } from './page.ts';
import { verifyWords } from './verify-words.ts';

type VerifyPagesOptions = Pick<
  CoreContext,
  'verifiedPhones' | 'landlineCodes' | 'callNumber' | 'accounts' | 'log'
>;

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * The page of a verification, a Fastify plugin. `GET /v/:token` shows which account wants to send from which number and
 * changes nothing, because link previews fetch it. `POST /v/:token` finishes the verification: for a mobile by the
 * button, because the link was sent to that phone; for a landline by the code that a call to it spoke, because anybody
 * may have the link. A POST that another site caused only shows the page. The page is in the language of the browser,
 * because the owner of the phone is unknown.
 */
export async function verifyPages(app: FastifyInstance, options: VerifyPagesOptions): Promise<void> {
  const { verifiedPhones, landlineCodes, accounts, log, callNumber } = options;
  const frame = framePages(app, log);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );

  const answer = async (
    request: TokenRequest,
    reply: FastifyReply,
    found: LinkedVerification | undefined,
    isWrong = false,
  ) => {
    const account = found && (await accounts.byId(found.accountId));
    if (!found || !account) return frame.unknown(request, reply);
    return show(request, reply, found, { brand: brandOf(account), callNumber, isWrong });
  };

  app.get('/v/:token', async (request: TokenRequest, reply) => {
    const found = await verifiedPhones.find(request.params.token);
    return answer(request, reply, found);
  });

  app.post('/v/:token', async (request: TokenRequest, reply) => {
    const { token } = request.params;
    let isWrong = false;
    if (!isCrossSite(request)) {
      const code = request.body instanceof URLSearchParams ? request.body.get('code') : null;
      if (code === null) await verifiedPhones.confirm(token);
      else isWrong = !(await landlineCodes.enter(token, code.trim()));
    }
    // After a second POST, or another link for the same number, the number is confirmed already.
    const found = await verifiedPhones.find(token);
    return answer(request, reply, found, isWrong);
  });
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  found: LinkedVerification,
  { brand, callNumber = '', isWrong }: { brand: Brand; callNumber: string | undefined; isWrong: boolean },
): FastifyReply {
  const language = languageFor(request.headers['accept-language']);
  const words = verifyWords[language];
  const names = {
    account: brand.name,
    phone: displayNumber(found.phone),
    number: callNumber,
  };
  if (found.confirmed) {
    const body = `<p role="status">${withNames(words.doneText, names)}</p>`;
    return sendPage(reply, 200, { language, title: words.doneTitle, brand, body });
  }
  const codeField = `<p><label>${words.codeLabel}
<input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6" required dir="ltr"></label></p>\n`;
  const body = [
    `<p>${withNames(found.landline ? words.codeText : words.askText, names)}</p>`,
    ...(found.landline && isWrong ? [`<p role="alert">${words.codeWrong}</p>`] : []),
    buttonForm(words.askButton, found.landline ? codeField : ''),
  ].join('\n');
  return sendPage(reply, 200, { language, title: words.askTitle, brand, body });
}
