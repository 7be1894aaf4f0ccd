import type { TemplateContent } from '../../../protocols/chat-platform/templates.ts';

const headerCodes = { none: '1', text: '1', image: '2', video: '3', document: '4' } as const;

/**
 * Returns a template's content in the fields and codes of A1 (interface.md, "Template"). A text header counts as no
 * media; only the first of two websites is shown; a button that copies a code is neither a call to action nor a quick
 * reply.
 */
export function templateFields({ header, body, footer, buttons }: TemplateContent) {
  const website = buttons.find((button) => button.kind === 'website');
  const call = buttons.find((button) => button.kind === 'call');
  const replies = buttons.filter((button) => button.kind === 'reply');
  const acts = website !== undefined || call !== undefined;
  return {
    headerSample: header.kind === 'none' || header.kind === 'text' ? '' : header.sample,
    body,
    footer,
    buttons: acts ? (replies.length > 0 ? '4' : '2') : replies.length > 0 ? '3' : '1',
    callToAction: website ? (call ? '3' : '1') : call ? '2' : '0',
    callToActionWebsiteText: website?.text ?? '',
    callToActionWebsiteType: website ? (website.dynamic ? '2' : '1') : '',
    callToActionWebsiteURL: website?.url ?? '',
    callToActionCallText: call?.text ?? '',
    callToActionCallNumber: call?.number ?? '',
    quickReply1: replies[0]?.text ?? '',
    quickReply2: replies[1]?.text ?? '',
    quickReply3: replies[2]?.text ?? '',
    headers: headerCodes[header.kind],
  };
}
