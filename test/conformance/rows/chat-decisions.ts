import { chapter, row } from '../row.ts';

/** Decisions, section 2, row by row. */
export const chatDecisions = chapter({
  key: 'chat',
  title: 'The chat API',
  bothForms: false,
  rows: [
    row('paths', 'A2 at three segments; the prefix has aliases (`CHAT_API_ALIASES`)'),
    row('sign-in', 'the bearer token; missing or unknown: 401 `{"success": false, "message": …}`'),
    row('source', 'must belong to the account: else reason 2'),
    row('HTTP', '200 with FAIL and a reason; 400 for what is not JSON; 413; 429 with the endpoint’s reason'),
    row('content type', 'never makes a readable body fail'),
    row('order', 'source, destination, template or window, then the fields of the table'),
    row('success', 'true when the message was accepted: it is stored then'),
    row('unanswered', 'the third template: reason 23'),
    row('tier', 'the messaging limit: reason 22'),
    row('not approved', 'any status but 1, 10, 11: reason 6; 6 counts again after six hours'),
    row('time left', 'whole minutes, 0 when none is left'),
    row('unique', 'our own id; the platform’s is kept beside it, and found by it'),
    row(
      'campaign',
      'answers before lists are expanded; `sum` counts different numbers; failures are in its report',
    ),
    row(
      'media links',
      'scheme and type at acceptance; the size from a HEAD or one byte; private addresses refused; a silent server is left to the platform',
    ),
    row('media links.setting', '`MEDIA_CHECK`: strict refuses a silent server, off asks nobody'),
    row('languages', 'numbers of ours, in the docs, as texts'),
    row('billing', 'a conversation is paid once; the thousand of the month, then 0.5 credits each'),
    row('statuses', 'template statuses come from the platform’s review events'),
    row('described', 'A1 to A5 are described at `/docs`, made of their schemas, with examples that work'),
    row('reasons in the docs', 'every reason in docs/, as the code has it'),
  ],
});
