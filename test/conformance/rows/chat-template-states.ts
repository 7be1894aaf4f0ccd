import { chapter, row } from '../row.ts';

/** The interface, "Template status", and how templates come to be. */
export const chatTemplateStates = chapter({
  key: 'templateStatus',
  title: 'Templates and their statuses',
  bothForms: false,
  rows: [
    row('0', 'sent for approval; cannot be sent'),
    row('1', 'approved; can be sent'),
    row('2', 'rejected for its format; cannot be sent'),
    row('3', 'rejected for the policy; cannot be sent'),
    row('4', 'rejected as spam; cannot be sent'),
    row('5', 'rejected, reason unknown; cannot be sent'),
    row('6', 'paused: can be sent again six hours after it was set'),
    row('7', 'banned; cannot be sent'),
    row('9', 'deleted at the platform; cannot be sent'),
    row('10', 'flagged; can be sent'),
    row('11', 'no longer flagged; can be sent'),
    row('events', 'statuses are those of the platform’s review events, which come twice and in any order'),
    row('made', 'made under `/v1`, submitted to the platform, reviewed'),
    row(
      'made.checked',
      'checked before the platform sees it: name, 1,024 characters, variables from 1 without gaps, samples, buttons',
    ),
    row('made.media', 'a media header has an example, which is reviewed with it'),
    row('made.once', 'submitted once, also when the platform is away, an answer is lost or a process dies'),
    row('name', 'the same name in several languages; once in a language'),
    row('elsewhere', 'those made elsewhere are fetched: on a schedule, after a review, on demand'),
  ],
});
