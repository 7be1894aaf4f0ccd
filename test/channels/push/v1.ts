import { z } from 'zod';
import { changes } from '../../../server/api/access/rules.ts';
import { field, listOf, requiredText, textUpTo } from '../../../server/api/v1/kit/fields.ts';
import { resource } from '../../../server/api/v1/kit/route.ts';
import type { PushCampaigns } from './campaigns.ts';
import type { PushSender } from './sender.ts';

const MAX_DEVICES = 10_000;

const device = requiredText(200);
const notification = {
  title: field(requiredText(100), 'Its first line.', 'Sale'),
  body: field(textUpTo(1_000), 'What follows.', 'Today only'),
};
const answer = z.object({ id: field(z.string(), 'The message, or the campaign.', '1774337460000007') });

export interface PushDeps {
  readonly sender: PushSender;
  readonly campaigns: PushCampaigns;
}

const route = resource<PushDeps>('sending');

/** Push notifications: one to one device, or one to many. */
export const pushRoutes = [
  route('POST /v1/push/messages', {
    access: changes('sender', 'send'),
    operationId: 'sendPush',
    title: 'Send a push notification',
    description: 'To one device.',
    refusals: ['no-credit', 'not-now'],
    body: z.object({ device: field(device, 'The device.', 'device-1'), ...notification }),
    status: 202,
    answer,
    handler: async ({ body: { device: to, ...content }, account }, { sender }) => ({
      id: String(await sender.send(account.id, to, content)),
    }),
  }),
  route('POST /v1/push/campaigns', {
    access: changes('sender', 'send'),
    operationId: 'sendPushCampaign',
    title: 'Send a push notification to many devices',
    description: 'Its cost is held until the messages are made.',
    body: z.object({
      devices: field(listOf(device, MAX_DEVICES), 'The devices.', ['device-1']),
      ...notification,
    }),
    status: 202,
    answer,
    handler: async ({ body: { devices, ...content }, account }, { campaigns }) => ({
      id: String(await campaigns.create(account.id, devices, content)),
    }),
  }),
];
