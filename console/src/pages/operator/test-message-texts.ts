import { textsOfPages } from '../../i18n/use-texts.tsx';
import { testMessages as en } from './test-message-texts.en.ts';
import { testMessages as he } from './test-message-texts.he.ts';

/** The texts of test messages, which are fetched with the page of connectors. */
export const useTestMessageTexts = textsOfPages({ en, he });
