/* Texts of pages that a visit seldom begins with, in one file: these pages share many of them. */

export { mailEditor } from '../features/mail/editor-texts.en.ts';
export { mailbox, mailCampaigns, mailViews } from '../features/mail/texts.en.ts';
export { campaigns } from '../pages/campaigns/texts.en.ts';
export { conversations } from '../pages/conversations/texts.en.ts';
export { mailTokens } from '../pages/developers/mail-token-texts.en.ts';
export { mailTemplates } from '../pages/mail-templates/texts.en.ts';
export { mailLists } from '../pages/mailing-lists/texts.en.ts';
export { send } from '../pages/send/texts.en.ts';
export { templates } from '../pages/templates/texts.en.ts';
export { synonyms } from '../shell/search/synonyms.en.ts';

export type MoreTexts = typeof import('./more.en.ts');
