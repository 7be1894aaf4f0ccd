import { webhooks as en } from '../../i18n/en/webhooks.ts';
import { webhooks as he } from '../../i18n/he/webhooks.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const useWebhookTexts = textsOfPages({ en, he });
