import { textsOfPages } from '../../i18n/use-texts.tsx';
import { audit as enAudit } from './audit-texts.en.ts';
import { audit as heAudit } from './audit-texts.he.ts';
import { people as enPeople } from './texts.en.ts';
import { people as hePeople } from './texts.he.ts';

/** The texts of people and operators, which are fetched with their page: the first load is limited. */
export const usePeopleTexts = textsOfPages({ en: enPeople, he: hePeople });

/** The texts of the audit log. */
export const useAuditTexts = textsOfPages({ en: enAudit, he: heAudit });
