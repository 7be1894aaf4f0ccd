import { type ContentReader, nothing, type TextsReader } from '../../engine/messages/message-content.ts';
import { compileContent } from './content.ts';
import type { Contents } from './contents.ts';
import { viewOfMail } from './mail-template.ts';
import { decodeMailText, valueIn } from './mail-text.ts';
import { compileHeader, write } from './placeholders.ts';

/**
 * Renders emails as their recipients get them. Links have their original targets, except the unsubscribe link, which
 * has no target.
 */
export function mailContentReader(contents: Pick<Contents, 'shownOf'>): ContentReader {
  return async (accountId, { shipmentId, own }) => {
    const content = (await contents.shownOf(accountId, [shipmentId])).get(shipmentId);
    if (!content) return nothing;
    const { from, subject, html, text } = content;
    if (own === null) return { ...nothing, mail: { from, subject, html, text } };
    const { userId, fields } = decodeMailText(own);
    const view = viewOfMail(compileContent(content), userId !== null, (name) => valueIn(fields, name));
    return { ...nothing, mail: { from, ...view } };
  };
}

/** Returns a function that reads the subjects of emails, as their recipients got them. */
export function mailTextsReader(contents: Pick<Contents, 'shownOf'>): TextsReader {
  return async (accountId, messages) => {
    const found = await contents.shownOf(accountId, [
      ...new Set(messages.map(({ shipmentId }) => shipmentId)),
    ]);
    const subjects = new Map(
      [...found].map(([id, { subject, literal }]) => [id, literal ? subject : compileHeader(subject)]),
    );
    return new Map(
      messages.flatMap(({ id, shipmentId, own }): [number, string][] => {
        const subject = subjects.get(shipmentId);
        if (subject === undefined) return [];
        if (typeof subject === 'string') return [[id, subject]];
        const fields = own ? decodeMailText(own).fields : {};
        return [[id, write(subject, (name) => valueIn(fields, name))]];
      }),
    );
  };
}
