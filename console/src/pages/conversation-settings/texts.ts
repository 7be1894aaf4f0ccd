import { textsOfPages } from '../../i18n/use-texts.tsx';
import {
  conversationHours as hours,
  conversationLabels as labels,
  conversationRules as rules,
  savedReplies,
} from './texts.en.ts';
import {
  conversationHours as heHours,
  conversationLabels as heLabels,
  conversationRules as heRules,
  savedReplies as heSavedReplies,
} from './texts.he.ts';

const en = { hours, labels, rules, savedReplies };
/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const useSettingsTexts = textsOfPages<typeof en>({
  en,
  he: { hours: heHours, labels: heLabels, rules: heRules, savedReplies: heSavedReplies },
});
