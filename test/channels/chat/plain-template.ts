import type { TemplateContent } from '../../../server/protocols/chat-platform/templates.ts';

/** The content of a template that has a text only. */
export const plainContent: TemplateContent = {
  category: 'MARKETING',
  header: { kind: 'none' },
  body: 'Hello',
  bodySamples: [],
  footer: '',
  buttons: [],
  offer: null,
  authentication: null,
};

/** As `plainContent`, of a template about an order. */
export const orderContent: TemplateContent = {
  ...plainContent,
  category: 'UTILITY',
  body: 'Your order is on its way.',
};
