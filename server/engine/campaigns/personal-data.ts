import { type Mentions, replaceInJson } from '../../modules/personal-data/mentions.ts';
import { partOfMentions } from '../../modules/personal-data/table-parts.ts';

/**
 * Returns a campaign's position without the number of an erased contact, which it may contain. The position directly
 * before that number is equivalent without the contact, so a running campaign continues with the next one.
 */
const placeBefore = (json: string, mentions: Mentions) =>
  replaceInJson(json, mentions, (identifier) =>
    /^\d+$/.test(identifier) ? `${BigInt(identifier) - 1n}~` : '',
  );

/** Drafts, which may contain recipients, and the positions of campaigns. */
export const campaignsPart = partOfMentions([
  {
    table: 'drafts',
    kind: 'mentions',
    key: 'id',
    // Each draft may have 700,000 characters.
    searchedAtOnce: 50,
    columns: {
      title: (text, mentions, by) => mentions.replace(text, by),
      content: replaceInJson,
    },
    sealed: ['title', 'content'],
  },
  {
    table: 'campaigns',
    kind: 'mentions',
    key: 'id',
    columns: { place: placeBefore },
    json: ['place'],
  },
]);
