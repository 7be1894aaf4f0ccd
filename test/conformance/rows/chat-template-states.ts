import { type Chapter, inFile, row } from '../row.ts';

const sandbox = inFile('sandbox/chat');
const templates = inFile('chat/templates');
const sender = inFile('chat/sender');
const message = inFile('chat-api/template-message');
const webhooks = inFile('chat-platform/webhooks');
const v1 = inFile('v1/chat-templates');

const byName = sandbox(
  'templates are reviewed by the ending of their name, and the list of the chat API follows',
);
const refused = message(
  '6: a template that is not approved, in every status; and paused ones after six hours',
);

/** The interface, "Template status", and how templates come to be. */
export const chatTemplateStates: Chapter = {
  title: 'Templates and their statuses',
  bothForms: false,
  rows: [
    row(
      '0',
      'sent for approval; cannot be sent',
      templates('a template is made, submitted, reviewed and told of'),
      refused,
    ),
    row('1', 'approved; can be sent', byName, refused),
    row('2', 'rejected for its format; cannot be sent', byName, refused),
    row('3', 'rejected for the policy; cannot be sent', byName, refused),
    row('4', 'rejected as spam; cannot be sent', byName, refused),
    row('5', 'rejected, reason unknown; cannot be sent', byName, refused),
    row(
      '6',
      'paused: can be sent again six hours after it was set',
      byName,
      refused,
      sender('a paused template is sent again six hours later, to the millisecond'),
      templates('a second pause holds for six hours of its own'),
    ),
    row('7', 'banned; cannot be sent', byName, refused),
    row(
      '9',
      'deleted at the platform; cannot be sent',
      byName,
      refused,
      templates('a template is deleted here and on the platform, for every number'),
    ),
    row('10', 'flagged; can be sent', byName, refused),
    row('11', 'no longer flagged; can be sent', byName, refused),
    row(
      'events',
      'statuses are those of the platform’s review events, which come twice and in any order',
      webhooks('the status codes of the interface for every review event'),
      templates('reviews come twice and in any order, and statuses only go on in time'),
      templates('a review that comes before the answer to the submission is not lost'),
    ),
    row(
      'made',
      'made under `/v1`, submitted to the platform, reviewed',
      v1('a template from its making to its deletion'),
      templates('a template is made, submitted, reviewed and told of'),
    ),
    row(
      'made.checked',
      'checked before the platform sees it: name, 1,024 characters, variables from 1 without gaps, samples, buttons',
      templates('what a check refuses is neither stored nor submitted'),
      v1('what cannot be used is named by its field'),
      inFile('chat/template-check')('what is just within the limits is taken, as it is submitted'),
    ),
    row(
      'made.media',
      'a media header has an example, which is reviewed with it',
      templates('the example of a media header is fetched and uploaded'),
      templates('an example that cannot be had refuses the template'),
    ),
    row(
      'made.once',
      'submitted once, also when the platform is away, an answer is lost or a process dies',
      templates('while the platform is away a template waits, and is submitted when it is back'),
      templates('a submission whose answer was lost is not made twice'),
      templates('a submission of a process that died is taken up, and not made twice'),
      templates('of two processes one submits'),
    ),
    row(
      'name',
      'the same name in several languages; once in a language',
      templates('a name is taken once in a language, also by two requests at once'),
    ),
    row(
      'elsewhere',
      'those made elsewhere are fetched: on a schedule, after a review, on demand',
      templates('templates that were made elsewhere are fetched, for each number, with what changed'),
      templates('templates are fetched on a schedule, by one process'),
      templates('the review of a template that was made elsewhere brings it here'),
      v1('templates are fetched from the platform on demand'),
    ),
  ],
};
