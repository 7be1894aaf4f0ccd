import { type AccessTable, mailPrograms, open, sends, sendsNothing } from '../../api/access/rules.ts';

/** The mailing-list API. */
export const mailAccess: AccessTable = {
  'POST /api/Mailer/CreateMalingList': sendsNothing(mailPrograms),
  // Adding users to a list with double opt-in sends them an email.
  'POST /api/Mailer/AddUsersToLists': sends(mailPrograms),
  'GET /api/Mailer/GetMailingListByID': mailPrograms,
  'POST /api/Mailer/GetMailingListNames': sendsNothing(mailPrograms),
  'POST /api/Mailer/TruncateMailingLists': sendsNothing(mailPrograms),
  'POST /api/Mailer/token': open('password'),

  // Pages behind links of mails.
  'GET /m/o/:token': open('link'),
  'GET /m/c/:token': open('link'),
  'GET /mail/remove/:code': open('link'),
  'POST /mail/remove/:code': open('link'),
  'GET /mail/confirm/:code': open('link'),
  'POST /mail/confirm/:code': open('link'),
};
