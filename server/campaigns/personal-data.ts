import { type Mentions, replaceInJson } from '../personal-data/mentions.ts';
import { partOfMentions } from '../personal-data/table-parts.ts';

/**
 * Where a campaign stands in a list may be the number of a contact. The place before it is the same place when the contact is
 * gone, so that a campaign that is under way goes on with the next one.
 */
const placeBefore = (json: string, mentions: Mentions) =>
  replaceInJson(json, mentions, (identifier) =>
    /^\d+$/.test(identifier) ? `${BigInt(identifier) - 1n}~` : '',
  );

/** Drafts, in which recipients may stand, and the places of campaigns. */
export const campaignsPart = partOfMentions([
  {
    table: 'drafts',
    kind: 'mentions',
    key: 'id',
    // Each may have 700,000 characters.
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
