import type { Queryable } from '../../database/connection.ts';
import { nestedText, openedText } from '../../database/sealed-text.ts';
import type { ChatContent } from './campaign-recipients.ts';
import type { CampaignMessage } from './campaign-request.ts';

/*
 * What a campaign puts into its template for all: the link or text of the header, and the code of a coupon. Their texts stand
 * within the JSON of its row, as its account has its texts stored.
 */

const withValues = <M extends CampaignMessage>(message: M, change: (text: string) => string): M => {
  const { headerLink, coupon } = message;
  return {
    ...message,
    headerLink: headerLink === null ? null : change(headerLink),
    coupon: coupon && 'code' in coupon ? { code: change(coupon.code) } : coupon,
  };
};

/** A message as the row of its campaign has it. */
export const storedValues = (sql: Queryable, accountId: number, message: CampaignMessage): CampaignMessage =>
  withValues(message, (text) => nestedText(sql.waitingText(accountId, text)));

/** What stands in the row of a campaign, to make messages of. A value whose key is lost is empty, which no template takes. */
export const openedValues = (content: ChatContent): ChatContent => withValues(content, openedText);

/** Whether a value of a campaign is not there any more: removed, or encrypted with a key that is lost. */
export const lacksValues = ({ isRemoved, headerLink, coupon }: ChatContent): boolean =>
  isRemoved === true || headerLink === '' || (coupon !== null && 'code' in coupon && coupon.code === '');
