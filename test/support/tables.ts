import { channels } from '../../server/channels/index.ts';
import { tablesOf } from '../../server/run/tables.ts';

/** The tables of the product. */
export const tables = tablesOf(channels);
