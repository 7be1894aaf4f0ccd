import { byId, client } from '../../api/client.ts';
import { templateBody, type Values } from '../../features/composing/template-values.ts';
import type { Template } from '../../features/templates/template-data.ts';
import { type HoursChoice, timingBody } from './hours-choice.ts';

type ChatRequest = ReturnType<typeof requestOf>;

/** Request for a template: to one recipient with typed values, or to many with fields of the contact lists. */
export function requestOf(
  template: Template,
  source: string,
  values: Values,
  chosen: { readonly phones: readonly string[]; readonly lists: readonly string[] },
  toOne: boolean,
  name: string,
  dueAt: Date | null,
  hours: HoursChoice,
) {
  if (toOne) {
    const body = { source, to: chosen.phones[0] ?? '', ...templateBody(template, values) };
    return { to: 'one' as const, body };
  }
  const { variables, header, coupon, couponEnds, websites } = values;
  const fields = Object.entries(variables).filter(([, field]) => /^[1-6]$/.test(field));
  const website = (index: 0 | 1) => (/^[1-6]$/.test(websites[index]) ? Number(websites[index]) : undefined);
  return {
    to: 'many' as const,
    body: {
      source,
      template_id: template.template_id,
      ...(header !== '' && { header_link: header }),
      ...(coupon !== '' && { coupon_code: coupon }),
      ...(couponEnds !== '' && { coupon_expires_at: couponEnds }),
      phones: [...chosen.phones],
      lists: [...chosen.lists],
      ...(name !== '' && { name }),
      fields: Object.fromEntries(fields.map(([variable, field]) => [variable, `df${field}`])),
      ...(website(0) !== undefined && { website_field: website(0)! }),
      ...(website(1) !== undefined && { website_field2: website(1)! }),
      ...timingBody(dueAt, hours),
    },
  };
}

/** Sends a template. Returns the id of its shipment, and whether it is a single message. */
export async function sendChat(request: ChatRequest): Promise<[shipment: string, one: boolean]> {
  if (request.to === 'many') {
    const data = await client.POST('/v1/chat/campaigns', { body: request.body });
    return [data.id, false];
  }
  const data = await client.POST('/v1/chat/messages', { body: request.body });
  return [await shipmentOf(data.id), true];
}

/** The shipment of a message. */
export async function shipmentOf(message: string): Promise<string> {
  const data = await client.GET('/v1/messages/{id}', byId(message));
  return data.shipment_id;
}

/** Estimated cost of a request. `opens`: whether it opens a conversation, which is the unit of the price. */
export async function estimateOf(request: ChatRequest) {
  if (request.to === 'one') {
    const data = await client.POST('/v1/chat/messages/estimate', { body: request.body });
    return { ...data, recipients: 1, opens: data.opens_conversation };
  }
  const data = await client.POST('/v1/chat/campaigns/estimate', { body: request.body });
  return { ...data, opens: true };
}
