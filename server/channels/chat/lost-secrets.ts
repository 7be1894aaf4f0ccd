import type { Discardings } from '../module.ts';
import { ChatNumbers } from './business-numbers.ts';

/** Discards access tokens that were sealed with a lost key. */
export const discardings: Discardings = {
  'chat_portfolios.access_token': {
    consequence:
      'business numbers are paused until `carillon chat-portfolio token` sets the access token again; messages wait',
    async discard({ appContext, box }, [id]) {
      const { clock, ids, database } = appContext;
      const numbers = new ChatNumbers({ sql: database.sql, ids, clock, secrets: box });
      const accountId = await numbers.discardAccessToken(Number(id));
      return accountId === undefined ? undefined : { accountId, kind: 'chat-portfolios', id: Number(id) };
    },
  },
};
