import { text } from './fields.ts';

/** Id of a DLT platform in a body. Ids in use have 19 digits. */
export const dltId = text.regex(/^\d{1,30}$/, 'must be digits, up to 30');

export const dltMeanings = {
  entity: "Id of the business (“principal entity”) on India's DLT platforms.",
  template: "Id of the template of the text on India's DLT platforms.",
};
