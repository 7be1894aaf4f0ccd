import { type AccessTable, mailPrograms, open, sends } from '../rules.ts';

/** The mailing-list API. */
export const mailRoutes: AccessTable = {
  'POST /api/Mailer/CreateMalingList': mailPrograms,
  // Who is added to a list with double opt-in is sent a mail.
  'POST /api/Mailer/AddUsersToLists': sends(mailPrograms),
  'GET /api/Mailer/GetMailingListByID': mailPrograms,
  'POST /api/Mailer/GetMailingListNames': mailPrograms,
  'POST /api/Mailer/TruncateMailingLists': mailPrograms,
  'POST /api/Mailer/token': open('password'),
};
