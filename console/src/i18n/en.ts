/* Every text of the console, by page. English is the form that the other languages have to have. */

export { account } from './en/account.ts';
export { campaigns } from './en/campaigns.ts';
export { common } from './en/common.ts';
export { conversations } from './en/conversations.ts';
export { failures } from './en/failures.ts';
export { filters } from './en/filters.ts';
export { handset } from './en/handset.ts';
export { mailbox, mailCampaigns, mailLists, mailTokens, mailViews } from './en/mail.ts';
export { mailEditor } from './en/mail-editor.ts';
export { mailTemplates } from './en/mail-templates.ts';
export { messages } from './en/messages.ts';
export { operatorTitles } from './en/operator-titles.ts';
export { overview } from './en/overview.ts';
export { proof } from './en/proof.ts';
export { sandbox } from './en/sandbox.ts';
export { send } from './en/send.ts';
export { shell } from './en/shell.ts';
export { start } from './en/start.ts';
export { templates } from './en/templates.ts';
export { tokens } from './en/tokens.ts';
export { wallet } from './en/wallet.ts';

export type Dictionary = typeof import('./en.ts');
