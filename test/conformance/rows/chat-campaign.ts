import { chapter, row } from '../row.ts';

/** The interface, A3; campaigns afterwards. */
export const chatCampaign = chapter({
  key: 'A3',
  title: 'A3: `create-campaign-wa`',
  bothForms: false,
  rows: [
    row('answer', '`data` with `success` and `sum`, the count of different numbers; each gets it once'),
    row(
      'source, destinations, campaign_message',
      'required; missing, unusable, another’s, not approved: refused, nothing stored',
    ),
    row('destinations', '`phones` and `cl`, bare or in arrays, up to 100,000 phones'),
    row('campaign_name', 'up to 50 characters'),
    row('dynamicHeaders', 'under `1` to `5` the column’s name or `df1`, …'),
    row('header_link', 'the link of a media header'),
    row('future_campaign, from_date', '`instant`, or `future` with a time in the account’s zone'),
    row(
      'couponCode, couponExpiration, couponType',
      'one code for all, or with type 2 that of a dynamic field',
    ),
    row('websiteVariable, websiteVariable2', 'the number of a dynamic field'),
    row(
      'credit',
      'more than there is is refused; who cannot be sent to costs nothing; credit that runs out ends it',
    ),
    row('failures', 'numbers that cannot be sent to are in the campaign’s report with their reason'),
    row(
      'before lists are read',
      'answered before the lists are expanded; the rest in steps, through restarts',
    ),
    row('paused', 'nothing more is sent until it goes on'),
    row(
      'cancelled',
      'what was not submitted is given up and its credit is refunded; `cancel` of the SMS family knows it',
    ),
    row('progress', 'messages by their outcome'),
    row('finished', 'ends once, with an event'),
    row('others', 'another account’s campaigns are not there'),
  ],
});
