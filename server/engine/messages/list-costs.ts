import { CALL_CHANNEL } from '../../channels/contract/channels.ts';
import type { Context } from '../../kit/context.ts';
import { countParts } from '../../kit/text/segmentation.ts';
import type { PriceFinder } from '../../modules/accounts/prices.ts';
import type { Contact, ContactLists } from '../../modules/audience/contact-lists.ts';
import type { Routing } from '../carriers/routing.ts';
import type { PhoneGate } from '../gate/phones.ts';
import type { ShortLinks } from '../links/short-links.ts';
import { legsOf } from './calls.ts';
import type { ShipmentRequest } from './plan.ts';
import { MAX_COMPOSED, TextRenderer, writeExample } from './text-template.ts';

/** Number of contacts sampled to estimate the cost of a longer list. */
const SAMPLE = 500;

export interface EstimateDeps extends Pick<Context, 'sql'> {
  readonly contactLists: ContactLists;
  readonly links: ShortLinks;
  readonly phoneGate: Pick<PhoneGate, 'problemOf'>;
  readonly routing: Routing;
  readonly isKosher: (phone: string) => boolean;
}

/**
 * Estimates the cost of sending to lists, for each part, in ten-thousandths of a credit. Exact for lists of up to 500
 * contacts (except for contacts who receive nothing); longer ones are extrapolated from their first 500. The estimate
 * is reserved on acceptance; the rest is returned when the last contact has its message.
 */
export async function estimateCosts(
  { sql, contactLists, links, phoneGate, routing, isKosher }: EstimateDeps,
  accountId: number,
  { lists: parts = [], call }: Pick<ShipmentRequest, 'lists' | 'call'>,
  { priceOf, callPriceOf }: { readonly priceOf: PriceFinder; readonly callPriceOf: PriceFinder },
): Promise<number[]> {
  const samples = new Map<number, readonly Contact[]>();
  for (const id of new Set(parts.flatMap(({ lists }) => lists.map((list) => list.id)))) {
    samples.set(id, await contactLists.page(sql, accountId, id, '', SAMPLE));
  }
  return parts.map(({ template, lists, international }) => {
    const renderer = new TextRenderer(template);
    const partsFor = (contact: Contact) => {
      const text = writeExample(renderer, links, contact.fields);
      return text.length > MAX_COMPOSED ? 0 : countParts(text);
    };
    const same = template.dynamic ? 0 : partsFor({ phone: '', fields: [] });
    let total = 0;
    for (const { id, count } of lists) {
      const sample = samples.get(id)!;
      let cost = 0;
      for (const contact of sample) {
        if (phoneGate.problemOf(accountId, contact.phone, international)) continue;
        for (const channel of legsOf(call, contact.phone, isKosher)) {
          if (channel === CALL_CHANNEL)
            cost += routing.callRouteOf(contact.phone) ? callPriceOf(contact.phone) : 0;
          else cost += priceOf(contact.phone) * (template.dynamic ? partsFor(contact) : same);
        }
      }
      total += sample.length < SAMPLE ? cost : Math.ceil((cost / sample.length) * count);
    }
    return total;
  });
}
