import { replaceInJson } from '../../modules/personal-data/mentions.ts';
import { partOfMentions } from '../../modules/personal-data/table-parts.ts';

/** Responses stored for repeated requests. */
export const sendKeysPart = partOfMentions([
  {
    table: 'send_keys',
    kind: 'mentions',
    key: 'key',
    columns: { answer: replaceInJson, key: (text, mentions, by) => mentions.replace(text, by) },
  },
]);
