import { type AccessTable, mailPrograms, open } from '../rules.ts';

/** The mailing-list API. */
export const mailRoutes: AccessTable = {
  'POST /api/Mailer/CreateMalingList': mailPrograms,
  'POST /api/Mailer/AddUsersToLists': mailPrograms,
  'GET /api/Mailer/GetMailingListByID': mailPrograms,
  'POST /api/Mailer/GetMailingListNames': mailPrograms,
  'POST /api/Mailer/TruncateMailingLists': mailPrograms,
  'POST /api/Mailer/token': open('password'),
};
