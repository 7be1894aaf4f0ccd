import { type Chapter, inFile, row } from '../row.ts';

const api = inFile('chat-api/campaign');
const campaigns = inFile('chat/campaigns');
const faults = inFile('chat/campaign-faults');
const v1 = inFile('v1/chat-campaigns');

/** The interface, A3; campaigns afterwards. */
export const chatCampaign: Chapter = {
  title: 'A3: `create-campaign-wa`',
  bothForms: false,
  rows: [
    row(
      'answer',
      '`data` with `success` and `sum`, the count of different numbers; each gets it once',
      api('phones and lists: each number once, and it arrives'),
      campaigns('phones and lists that share numbers: each once, in all spellings, and counted so'),
    ),
    row(
      'source, destinations, campaign_message',
      'required; missing, unusable, another’s, not approved: refused, nothing stored',
      api('refused: source, destinations, template'),
      campaigns('what is wrong with everyone is refused, and nothing is stored or held'),
    ),
    row(
      'destinations',
      '`phones` and `cl`, bare or in arrays, up to 100,000 phones',
      api('a single entry may be bare, a number a number, and what is no phone number is counted'),
      api('over 100,000 phones in a request'),
    ),
    row('campaign_name', 'up to 50 characters', api('the name: 50 characters')),
    row(
      'dynamicHeaders',
      'under `1` to `5` the column’s name or `df1`, …',
      api('dynamic headers: by the name of the column or as df1, of lists alone'),
      campaigns(
        'variables are taken from the column of each list, or dfN; what is missing fails for that recipient',
      ),
    ),
    row('header_link', 'the link of a media header', api('the link of a media header is looked at')),
    row(
      'future_campaign, from_date',
      '`instant`, or `future` with a time in the account’s zone',
      api('now or at a time'),
      campaigns("a campaign for later waits for its time, in the account's zone"),
    ),
    row(
      'couponCode, couponExpiration, couponType',
      'one code for all, or with type 2 that of a dynamic field',
      api('coupons: one for all, or by a dynamic field'),
      campaigns('coupons and website variables: one for all, or a field of each'),
    ),
    row(
      'websiteVariable, websiteVariable2',
      'the number of a dynamic field',
      api('variables of website buttons by a dynamic field'),
      campaigns('coupons and website variables: one for all, or a field of each'),
    ),
    row(
      'credit',
      'more than there is is refused; who cannot be sent to costs nothing; credit that runs out ends it',
      api('without credit for all of it, or suspended'),
      campaigns('credit that runs out: what was held pays first, and the rest goes without'),
      faults('credit that is spent elsewhere during a step is not spent again'),
    ),
    row(
      'failures',
      'numbers that cannot be sent to are in the campaign’s report with their reason',
      campaigns(
        'who cannot be sent to has a message with the reason, and only conversations that open are paid for',
      ),
      campaigns('what is no phone number fails with its reason, as it was given, and costs nothing'),
      v1('a campaign from its acceptance to its end: state, counts, and who was not reached'),
    ),
    row(
      'before lists are read',
      'answered before the lists are expanded; the rest in steps, through restarts',
      campaigns("many steps: batches of 500 that are the campaign's own, and everyone once"),
      faults('cut off in the middle of a step: the next one goes on, and nobody has two messages'),
      faults('several expanders at once: every campaign is whole, and nobody has two messages'),
      faults(
        'the program is killed in the middle, again and again: nobody is left out, and nobody has two messages',
      ),
    ),
    row(
      'paused',
      'nothing more is sent until it goes on',
      campaigns(
        'paused: nothing more is made or due, until it goes on; a batch that comes back late waits too',
      ),
      campaigns('a scheduled campaign that is paused past its time begins when it goes on'),
      v1('paused, it waits; then it goes on'),
    ),
    row(
      'cancelled',
      'what was not submitted is given up and its credit is refunded; `cancel` of the SMS family knows it',
      campaigns('cancelled before, in the middle, and too late: counts, credit, and never twice'),
      faults('paused and cancelled during a step: it is whole or not at all'),
      v1('cancelled, its credit comes back; the SMS family knows it by its name, too'),
    ),
    row(
      'progress',
      'messages by their outcome',
      campaigns('progress by the outcome of the messages, and failures page by page'),
      v1('lists and failures come page by page'),
    ),
    row(
      'finished',
      'ends once, with an event',
      campaigns('it ends once, when everything is made and nothing waits, whoever looks'),
    ),
    row(
      'others',
      'another account’s campaigns are not there',
      v1('campaigns of others, shipments of SMS and what is no id are not found'),
    ),
  ],
};
