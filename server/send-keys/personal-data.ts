import { replaceInJson } from '../personal-data/mentions.ts';
import { partOfMentions } from '../personal-data/table-parts.ts';

/** Answers that are kept to be given again. */
export const sendKeysPart = partOfMentions([
  {
    table: 'send_keys',
    kind: 'mentions',
    key: 'key',
    columns: { answer: replaceInJson, key: (text, mentions, by) => mentions.replace(text, by) },
  },
]);
