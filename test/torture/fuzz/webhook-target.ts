import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { anyText, breakBytes, breakValue, pick } from './mutate.ts';
import type { Target } from './target.ts';

/* Webhooks of the chat platform, correctly signed whatever their content. */

const at = {
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '972550000001', phone_number_id: '1' },
};
const status = { id: 'wamid.1', timestamp: '1789999999', recipient_id: '972501234567' };
const message = { from: '972501234567', id: 'wamid.2', timestamp: '1789999999' };
const changes: readonly { field: string; value: object }[] = [
  { field: 'messages', value: { ...at, statuses: [{ ...status, status: 'delivered', biz_opaque_callback_data: '1.2' }] } },
  {
    field: 'messages',
    value: { ...at, statuses: [{ ...status, status: 'failed', errors: [{ code: 131026, title: 'x', error_data: { details: 'y' } }] }] },
  },
  { field: 'messages', value: { ...at, contacts: [{ wa_id: '972501234567', profile: { name: 'Dana' } }], messages: [{ ...message, type: 'text', text: { body: 'Hello' } }] } },
  { field: 'messages', value: { ...at, messages: [{ ...message, type: 'button', button: { text: 'Yes', payload: 'yes' }, context: { id: 'wamid.1' } }] } },
  { field: 'messages', value: { ...at, messages: [{ ...message, type: 'image', image: { id: '7', mime_type: 'image/jpeg', sha256: 'x', caption: 'c' } }] } },
  { field: 'messages', value: { ...at, messages: [{ ...message, type: 'unsupported', errors: [{ code: 131051 }] }] } },
  { field: 'message_template_status_update', value: { event: 'APPROVED', message_template_id: 1, message_template_name: 'n', message_template_language: 'en' } },
  { field: 'phone_number_quality_update', value: { display_phone_number: '972550000001', event: 'FLAGGED', current_limit: 'TIER_1K' } },
]; // biome-ignore format: a list

const described = new Set([200, 400, 401, 413]);

export function webhookTarget(url: string, appSecret: string): Target {
  const pool = new Pool(url, { connections: 8, headersTimeout: 0, bodyTimeout: 0 });
  return {
    name: 'webhooks',
    atOnce: 8,
    next(chance) {
      const whole = {
        object: 'whatsapp_business_account',
        entry: [{ id: '1', time: 1_789_999_999, changes: [structuredClone(pick(chance, changes))] }],
      };
      const text = JSON.stringify(chance() < 0.7 ? breakValue(chance, whole) : whole) ?? anyText(chance);
      const body = chance() < 0.3 ? breakBytes(chance, Buffer.from(text)) : Buffer.from(text);
      return { octets: body.toString('base64') };
    },
    async bring({ octets }) {
      const body = Buffer.from(String(octets), 'base64');
      const { statusCode, body: answer } = await pool.request({
        method: 'POST',
        path: '/chat-webhooks',
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
        },
        body,
      });
      const text = await answer.text();
      return described.has(statusCode) ? undefined : `HTTP ${statusCode} ${text.slice(0, 200)}`;
    },
    close: () => pool.destroy(),
  };
}
