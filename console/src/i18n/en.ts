/* The texts that the first load has, by page; the others load with their pages. The Hebrew texts have the same type. */

export { filters } from '../components/filter-texts.en.ts';
export { handset } from '../features/handset/texts.en.ts';
export { mailEditor } from '../features/mail/editor-texts.en.ts';
export { mailbox, mailCampaigns, mailViews } from '../features/mail/texts.en.ts';
export { failures } from '../features/messages/failure-texts.en.ts';
export { campaigns } from '../pages/campaigns/texts.en.ts';
export { conversations } from '../pages/conversations/texts.en.ts';
export { mailTokens } from '../pages/developers/mail-token-texts.en.ts';
export { tokens } from '../pages/developers/token-texts.en.ts';
export { mailTemplates } from '../pages/mail-templates/texts.en.ts';
export { mailLists } from '../pages/mailing-lists/texts.en.ts';
export { messages } from '../pages/messages/texts.en.ts';
export { operatorTitles } from '../pages/operator/title-texts.en.ts';
export { overview } from '../pages/overview/texts.en.ts';
export { sandbox } from '../pages/sandbox/texts.en.ts';
export { send } from '../pages/send/texts.en.ts';
export { account } from '../pages/settings/texts.en.ts';
export { start } from '../pages/start/texts.en.ts';
export { templates } from '../pages/templates/texts.en.ts';
export { wallet } from '../pages/wallet/texts.en.ts';
export { proof } from '../shell/proof-texts.en.ts';
export { shell } from '../shell/texts.en.ts';
export { common } from './common.en.ts';

export type Dictionary = typeof import('./en.ts');
