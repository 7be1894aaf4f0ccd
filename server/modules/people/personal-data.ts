import { replaceInJson } from '../personal-data/mentions.ts';
import { partOfMentions } from '../personal-data/table-parts.ts';

/**
 * Entries of the audit log that name a person. An erasure keeps the change and replaces the name with a
 * pseudonym.
 */
export const auditPart = partOfMentions([
  {
    table: 'audit_log',
    kind: 'mentions',
    key: 'id',
    columns: {
      object_id: (text, mentions, by) => mentions.replace(text, by),
      before: replaceInJson,
      after: replaceInJson,
    },
    json: ['before', 'after'],
  },
]);
