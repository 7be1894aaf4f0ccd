import { textsOfPages } from '../../i18n/use-texts.tsx';
import { webhooks as en } from './webhook-texts.en.ts';
import { webhooks as he } from './webhook-texts.he.ts';

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const useWebhookTexts = textsOfPages({ en, he });
