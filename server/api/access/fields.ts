import { decide, type Principal } from './decide.ts';
import { reads, type SignedRule } from './rules.ts';

/** Fields that need more rights than the rest of a response, with the rule for each kind. */
export const fieldRules = {
  'message-text': reads('sender', 'read'),
  'conversation-text': reads('agent', 'read'),
  // Example values of templates are often those of a real customer; a program that only sends needs them, too.
  'template-sample': reads('sender', 'read', 'send'),
  // Path and query of a link often name the recipient or the order.
  'link-target': reads('sender', 'read'),
  // A simulated phone or mailbox shows full texts of messages, as its recipient would read them.
  'simulated-phone': reads('sender', 'read'),
  // User info, path and query of an address often have the receiver's key.
  'webhook-url': reads('owner', 'webhooks'),
  // Requests of webhook deliveries contain texts of messages; responses contain whatever the receiver wrote.
  'delivery-content': reads('sender', 'webhooks'),
} as const satisfies Readonly<Record<string, SignedRule>>;
export type FieldKind = keyof typeof fieldRules;

/** Whether somebody may read the fields of a kind. */
export function maySee(kind: FieldKind, principal: Principal): boolean {
  return decide(fieldRules[kind], principal).allowed;
}
