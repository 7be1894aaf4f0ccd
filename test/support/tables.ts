import { channels } from '../../server/channels/index.ts';
import { tablesOf } from '../../server/tables.ts';

/** The tables of the product. */
export const tables = tablesOf(channels);
