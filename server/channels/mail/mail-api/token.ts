import { z } from 'zod';
import type { OperationAbout } from '../../../api/openapi/description.ts';
import { out } from '../../../api/openapi/out.ts';
import { show } from '../../../api/openapi/shown.ts';
import { aboutMail } from './about.ts';
import { name, object } from './fields.ts';

/** Maximum characters of user names and passwords. */
const MAX = 200;

const site = show(
  z.transform<unknown, string>((value, context) => {
    const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    const result = name(MAX).safeParse(text);
    if (!result.success) context.issues.push({ ...result.error.issues[0]!, input: undefined } as never);
    return result.data ?? '';
  }),
  { as: () => ({ type: 'string', minLength: 1, maxLength: MAX }) },
);

const password = show(
  z.transform<unknown, string>((value, context) => {
    const report = (message: string) =>
      context.issues.push({ code: 'custom', message, input: undefined, path: [] });
    if (value === undefined || value === null || value === '') report('missing');
    else if (typeof value !== 'string') report('must be a text');
    else if (value.length > MAX) report(`over ${MAX} characters`);
    return typeof value === 'string' ? value : '';
  }),
  { as: () => ({ type: 'string', minLength: 1, maxLength: MAX }) },
);

/** The body of `POST …/token`. */
export const tokenRequest = object({
  siteID: site.describe('User name of the account, or its id.'),
  password: password.describe('Password of the account.'),
});

export const aboutToken: OperationAbout = aboutMail({
  id: 'makeMailToken',
  title: 'Get a mail token',
  description:
    'Creates a token for the operations of this chapter, valid for 12 hours. The request needs no token. Tokens without expiry are created in the console.',
  body: { schema: tokenRequest, example: { siteID: 'demo', password: 'the password' } },
  answer: { Token: out.text('Token; empty if the request was refused.', '8mZ1…q0Yw') },
});
