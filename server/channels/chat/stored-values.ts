import type { Queryable } from '../../database/connection.ts';
import { nestedText, openedText } from '../../database/sealed-text.ts';
import type { ChatContent } from './campaign-recipients.ts';
import type { CampaignMessage } from './campaign-request.ts';

/*
 * Values of a campaign's template that are common to all messages: the link or text of the header, and the code of a
 * coupon. Their texts are stored within the JSON of its row, in the account's storage mode for texts.
 */

const withValues = <M extends CampaignMessage>(message: M, change: (text: string) => string): M => {
  const { headerLink, coupon } = message;
  return {
    ...message,
    headerLink: headerLink === null ? null : change(headerLink),
    coupon: coupon && 'code' in coupon ? { code: change(coupon.code) } : coupon,
  };
};

/** Returns a message in the form of its campaign's row. */
export const storedValues = (sql: Queryable, accountId: number, message: CampaignMessage): CampaignMessage =>
  withValues(message, (text) => nestedText(sql.waitingText(accountId, text)));

/**
 * Returns the values of a campaign's row for creating messages. A value whose key is lost is empty, which every
 * template refuses.
 */
export const openedValues = (content: ChatContent): ChatContent => withValues(content, openedText);

/** Whether a value of a campaign is missing: removed, or encrypted with a lost key. */
export const lacksValues = ({ isRemoved, headerLink, coupon }: ChatContent): boolean =>
  isRemoved === true || headerLink === '' || (coupon !== null && 'code' in coupon && coupon.code === '');
