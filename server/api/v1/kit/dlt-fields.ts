import { DLT_ID } from '../../../engine/carriers/dlt.ts';
import { text } from './fields.ts';

/** Id of a DLT platform in a body. */
export const dltId = text.regex(DLT_ID, 'must be digits, up to 30');

export const dltMeanings = {
  entity: "Id of the business (“principal entity”) on India's DLT platforms.",
  template: "Id of the template of the text on India's DLT platforms.",
};
