import { textsOfPages } from '../../i18n/use-texts.tsx';
import { invitations as en } from './invitation-texts.en.ts';
import { invitations as he } from './invitation-texts.he.ts';

/** Texts of invitations, which are fetched with the pages that have them. */
export const useInvitationTexts = textsOfPages({ en, he });
