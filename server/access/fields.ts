import { decide, type Principal } from './decide.ts';
import { reads, type SignedRule } from './rules.ts';

/** Kinds of fields that not everybody who may read the rest of an answer may read, and who may. */
export const fieldRules = {
  'message-text': reads('sender', 'read'),
  'conversation-text': reads('agent', 'read'),
  // Example values of templates are often those of a real customer; a program that only sends needs them, too.
  'template-sample': reads('sender', 'read', 'send'),
  // Path and query of a link often name the recipient or the order.
  'link-target': reads('sender', 'read'),
  // What a simulated phone or mailbox received is what a recipient would read.
  'simulated-phone': reads('sender', 'read'),
  // User info, path and query of an address often have the receiver's key.
  'webhook-url': reads('owner', 'webhooks'),
  // What is sent has texts of messages; what comes back, whatever the receiver says.
  'delivery-content': reads('sender', 'webhooks'),
} as const satisfies Readonly<Record<string, SignedRule>>;
export type FieldKind = keyof typeof fieldRules;

/** Whether somebody may read the fields of a kind. */
export function maySee(kind: FieldKind, principal: Principal): boolean {
  return decide(fieldRules[kind], principal).allowed;
}
