import { type ContentReader, nothing } from '../../engine/messages/message-content.ts';
import { compileContent } from './content.ts';
import type { Contents } from './contents.ts';
import { viewOfMail } from './mail-template.ts';
import { decodeMailText, valueIn } from './mail-text.ts';

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
