import type { Answer } from '../../api/types.ts';
import { type ShipmentState, stateTones } from '../../features/campaigns/shipment.ts';

type MailCampaign = Answer<'/v1/mail/campaigns'>['campaigns'][number];
export type MailCampaignDetail = Answer<'/v1/mail/campaigns/{id}'>;
type MailProgress = MailCampaignDetail['progress'];

/** The state of a campaign, which the description of /v1 has as a text. */
export const stateOf = ({ state }: Pick<MailCampaign, 'state'>): ShipmentState => {
  const known = Object.keys(stateTones) as ShipmentState[];
  return known.find((one) => one === state) ?? 'running';
};

/** Whether mails of it are still to be submitted. */
export const isOpen = (campaign: Pick<MailCampaign, 'state'>): boolean =>
  ['scheduled', 'running', 'paused'].includes(campaign.state);

/** Recipients whose mail was not submitted, or came back. */
export const failedOf = ({ failed }: MailProgress): number =>
  Object.values(failed).reduce<number>((sum, count) => sum + Number(count), 0);

/** Recipients of whom nothing waits any more. */
export const doneOf = (progress: MailProgress): number =>
  progress.sent + failedOf(progress) + progress.cancelled;
