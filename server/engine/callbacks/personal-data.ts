import { replaceInJson } from '../../modules/personal-data/mentions.ts';
import type { PersonalDataPart } from '../../modules/personal-data/part.ts';
import { partOfMentions } from '../../modules/personal-data/table-parts.ts';

/** Stored callbacks: their addresses and terms are the caller's own text, and may name the recipient. */
export const callbacksPart: PersonalDataPart = partOfMentions([
  {
    table: 'status_callbacks',
    kind: 'mentions',
    key: 'id',
    columns: { content: (text, mentions, by) => replaceInJson(text, mentions, by) },
    sealed: ['content'],
  },
]);
