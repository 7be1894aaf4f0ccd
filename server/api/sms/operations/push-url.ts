import { EndpointRefused } from '../../../engine/events/endpoints.ts';
import { type PushKind, pushes } from '../../../engine/events/types.ts';
import { badField, Refusal } from '../../../kit/errors.ts';
import { programs } from '../../access/rules.ts';
import { accepted, answerOf } from '../about.ts';
import { user } from '../fields.ts';
import { operation } from '../operation.ts';
import { element, text } from '../wire/fields.ts';

// The interface sets no limit. Every event goes to each of them.
const MAX_URLS = 10;

/** Registers an address that receives events (decisions, "Extra operations"). */
export const pushUrl = operation({
  roots: ['push_url'],
  access: programs('webhooks'),
  chapter: 'account',
  title: 'Set a push URL',
  description:
    'Registers an address that receives each event as a form post, with the field names of the report and `phone`. The address has to answer 200 within 10 seconds; the service retries for 24 hours. At most ten addresses for each type.',
  example: { type: 'dlr', url: 'https://example.com/delivered' },
  answer: answerOf({}, { message: 'the address is registered' }),
  refusals: ['not-allowed', 'url-known'],
  schema: element({
    user,
    type: text.meta({ description: 'Type of the events.', enum: Object.keys(pushes) }),
    url: text.describe('`http` or `https` address; private addresses only if the operator allows them.'),
  }),
  async run({ type, url }, call) {
    if (!Object.hasOwn(pushes, type)) {
      throw badField('type', `must be one of ${Object.keys(pushes).join(', ')}`, 'not-one-of', {
        values: Object.keys(pushes).join(', '),
      });
    }
    const { events } = call.services;
    const registration = { accountId: call.account.id, kind: type as PushKind, url };
    try {
      await events.endpoints.check(registration);
      const known = await events.endpoints.list(call.account.id);
      if (known.filter(({ kind }) => kind === type).length >= MAX_URLS) {
        throw new Refusal('not-allowed', `${MAX_URLS} addresses are registered already for ${type}`, 'url');
      }
      if (!call.dryRun) await events.endpoints.register(registration);
    } catch (error) {
      throw error instanceof EndpointRefused ? error.at('url') : error;
    }
    return accepted({}, 'the address is registered');
  },
});
