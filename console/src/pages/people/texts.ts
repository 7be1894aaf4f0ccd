import { audit as enAudit } from '../../i18n/en/audit.ts';
import { people as enPeople } from '../../i18n/en/people.ts';
import { audit as heAudit } from '../../i18n/he/audit.ts';
import { people as hePeople } from '../../i18n/he/people.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of people and operators, which are fetched with their page: the first load is limited. */
export const usePeopleTexts = textsOfPages({ en: enPeople, he: hePeople });

/** The texts of the audit log. */
export const useAuditTexts = textsOfPages({ en: enAudit, he: heAudit });
