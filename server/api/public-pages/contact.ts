import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../../kit/observability/log.ts';
import { escapeHtml } from '../../kit/text/html.ts';
import type { Language } from '../../kit/text/language.ts';
import { framePages } from './frame.ts';
import { languageFor, sendPage } from './page.ts';

/** Path of the page. The setting `contactPage` of the chat platform is the address of this service with this path. */
export const CONTACT_PATH = '/contact';

const words: Readonly<Record<Language, { readonly call: string; readonly write: string }>> = {
  he: { call: 'התקשרו', write: 'כתבו לנו' },
  en: { call: 'Call', write: 'Write to us' },
  ar: { call: 'اتصلوا بنا', write: 'راسلونا' },
  ru: { call: 'Позвонить', write: 'Написать' },
};

const phone = /^\d{7,15}$/;
const email = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d.-]{1,190}$/i;

/**
 * `GET /contact?tel=<digits>` and `?mail=<address>`, a Fastify plugin: a page with a single link that calls the number
 * or writes to the address. Buttons of chat messages point to it, because the chat platform's buttons open only https
 * addresses (server/protocols/chat-platform/external.ts). The page links to no other site, and shows its target.
 */
export async function contactPage(app: FastifyInstance, options: { readonly log: Logger }): Promise<void> {
  const { unknown } = framePages(app, options.log);

  app.get(CONTACT_PATH, async (request: FastifyRequest<{ Querystring: Record<string, unknown> }>, reply) => {
    const { tel, mail } = request.query;
    const language = languageFor(request.headers['accept-language']);
    const { call, write } = words[language];
    if (typeof tel === 'string' && phone.test(tel)) {
      return sendPage(reply, 200, { language, title: call, body: link(`tel:+${tel}`, `+${tel}`) });
    }
    if (typeof mail === 'string' && email.test(mail)) {
      const address = `mailto:${mail.split('@').map(encodeURIComponent).join('@')}`;
      return sendPage(reply, 200, { language, title: write, body: link(address, mail) });
    }
    return unknown(request, reply);
  });
}

const link = (address: string, text: string) =>
  `<p><a href="${escapeHtml(address)}"><bdi>${escapeHtml(text)}</bdi></a></p>`;
