import { auditActions as en } from '../../i18n/audit-actions.en.ts';
import { auditActions as he } from '../../i18n/audit-actions.he.ts';
import { textsOfPages } from '../../i18n/use-texts.tsx';

/**
 * Texts for the actions of the audit log. They load with the page, because few people open it and the size of the first load
 * is limited.
 */
export const useActionTexts = textsOfPages<Readonly<Record<string, string>>>({ en, he });
