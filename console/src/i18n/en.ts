/* The texts that every first page has. The others are in more.en.ts, or load with their pages. The Hebrew texts have the same type. */

import type { MoreTexts } from './more.en.ts';

export { filters } from '../components/filter-texts.en.ts';
export { handset } from '../features/handset/texts.en.ts';
export { failures } from '../features/messages/failure-texts.en.ts';
export { tokens } from '../pages/developers/token-texts.en.ts';
export { messages } from '../pages/messages/texts.en.ts';
export { operatorTitles } from '../pages/operator/title-texts.en.ts';
export { overview } from '../pages/overview/texts.en.ts';
export { sandbox } from '../pages/sandbox/texts.en.ts';
export { account } from '../pages/settings/texts.en.ts';
export { start } from '../pages/start/texts.en.ts';
export { wallet } from '../pages/wallet/texts.en.ts';
export { proof } from '../shell/proof-texts.en.ts';
export { shell } from '../shell/texts.en.ts';
export { common } from './common.en.ts';

export type FirstTexts = typeof import('./en.ts');
/** All texts in one language, but for those that load with the page that shows them. */
export type Dictionary = FirstTexts & MoreTexts;
