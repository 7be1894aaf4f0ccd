import { type Chapter, inFile, row } from '../row.ts';

const api = inFile('chat-api/api');
const message = inFile('chat-api/template-message');
const buttons = inFile('chat-api/buttons');
const carousel = inFile('chat-api/carousel');
const campaign = inFile('chat-api/campaign');
const media = inFile('http/media-check');

/** Decisions, section 2, row by row. */
export const chatDecisions: Chapter = {
  title: 'The chat API',
  bothForms: false,
  rows: [
    row(
      'paths',
      'A2 at three segments; the prefix has aliases (`CHAT_API_ALIASES`)',
      api('A2 answers at three segments, all under each prefix, with a slash at the end or without'),
      api('other paths and methods are 404, and signed in like all'),
    ),
    row(
      'sign-in',
      'the bearer token; missing or unknown: 401 `{"success": false, "message": …}`',
      api('without a token, or with one that is unknown, expired or revoked, it is 401'),
      api('an account may be used from its addresses alone'),
    ),
    row(
      'source',
      'must belong to the account: else reason 2',
      message('2: the source is missing, no number, not a business number, or of another account'),
    ),
    row(
      'HTTP',
      '200 with FAIL and a reason; 400 for what is not JSON; 413; 429 with the endpoint’s reason',
      api('any value in any field is answered with a reason, and nothing is stored of what is refused'),
      api('a body that is not JSON is 400 with reason 2, in the form of the operation'),
      api('a megabyte: read, and judged by its fields; over ten it is 413'),
      api('over the rate limit it is 429 with the reason of the operation'),
      api('an address has its limit too, over all prefixes'),
    ),
    row(
      'content type',
      'never makes a readable body fail',
      api('whatever the content type says; a byte-order mark; unknown fields; a key twice'),
    ),
    row(
      'order',
      'source, destination, template or window, then the fields of the table',
      message('the order of checks: source, destination, template, unanswered, then the fields of the table'),
      buttons('the order of checks: source, destination, window, then the fields of the table'),
      carousel(
        'the order of checks: source, destination, window, then the fields of the table through all cards',
      ),
    ),
    row(
      'success',
      'true when the message was accepted: it is stored then',
      inFile('chat/sender')('a template is stored, charged and ready to be sent when the answer comes'),
    ),
    row(
      'unanswered',
      'the third template: reason 23',
      message('23: two templates without an answer are the most, until the client writes'),
    ),
    row('tier', 'the messaging limit: reason 22', message('22: the messaging limit of the portfolio')),
    row(
      'not approved',
      'any status but 1, 10, 11: reason 6; 6 counts again after six hours',
      message('6: a template that is not approved, in every status; and paused ones after six hours'),
    ),
    row(
      'time left',
      'whole minutes, 0 when none is left',
      inFile('chat/windows')(
        'the time left is in whole minutes, as after the message, and never below nothing',
      ),
    ),
    row(
      'unique',
      'our own id; the platform’s is kept beside it, and found by it',
      inFile('chat/webhooks')('a button that is pressed on a phone comes with our id of its message'),
    ),
    row(
      'campaign',
      'answers before lists are expanded; `sum` counts different numbers; failures are in its report',
      campaign('phones and lists: each number once, and it arrives'),
      inFile('v1/chat-campaigns')(
        'a campaign from its acceptance to its end: state, counts, and who was not reached',
      ),
    ),
    row(
      'media links',
      'scheme and type at acceptance; the size from a HEAD or one byte; private addresses refused; a silent server is left to the platform',
      media('the type that the server tells counts before the extension'),
      media('a server without HEAD is asked for the first byte, and one that tells no size of it is taken'),
      media('a server that is slow, cuts off or is not there'),
      media('a name that leads to a private address, and a redirect to one'),
      media('what is no address, or none that may be called'),
    ),
    row(
      'media links.setting',
      '`MEDIA_CHECK`: strict refuses a silent server, off asks nobody',
      media('a server that is slow, cuts off or is not there'),
      media('off asks nobody'),
    ),
    row(
      'languages',
      'numbers of ours, in the docs, as texts',
      inFile('chat/template-check')('the numbers of languages are those of the interface, each once'),
      inFile('docs/chat-api-tables')('the languages of the docs are those of the code'),
    ),
    row(
      'billing',
      'a conversation is paid once; the thousand of the month, then 0.5 credits each',
      inFile('chat/billing')('one beyond the thousandth that opens a conversation costs both'),
      buttons('3: without credit beyond the thousand that are free, or suspended'),
    ),
    row(
      'statuses',
      'template statuses come from the platform’s review events',
      inFile('chat-platform/webhooks')('the status codes of the interface for every review event'),
    ),
    row(
      'described',
      'A1 to A5 are described at `/docs`, made of their schemas, with examples that work',
      api('A1 to A5 are described, each once, and their examples fit'),
      api('the examples of the description are accepted as they stand, and answered with its fields'),
      api('the page at /docs shows them, with lines for the shell that can be used'),
    ),
    row(
      'reasons in the docs',
      'every reason in docs/, as the code has it',
      inFile('docs/chat-api-tables')(
        '### Reasons of template messages: those of the code, and every one that can be given has a meaning',
      ),
      inFile('docs/chat-api-tables')(
        '### Reasons of buttons: those of the code, and every one that can be given has a meaning',
      ),
      inFile('docs/chat-api-tables')(
        '### Reasons of carousels: those of the code, and every one that can be given has a meaning',
      ),
    ),
  ],
};
