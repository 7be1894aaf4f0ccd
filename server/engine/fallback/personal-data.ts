import { replaceInJson } from '../../modules/personal-data/mentions.ts';
import type { PersonalDataPart } from '../../modules/personal-data/part.ts';
import { partOfMentions } from '../../modules/personal-data/table-parts.ts';

/** Contents of fallbacks: their texts may name anybody. */
export const fallbackPart: PersonalDataPart = partOfMentions([
  {
    table: 'fallbacks',
    kind: 'mentions',
    key: 'id',
    columns: { content: (text, mentions, by) => replaceInJson(text, mentions, by) },
    sealed: ['content'],
  },
]);
