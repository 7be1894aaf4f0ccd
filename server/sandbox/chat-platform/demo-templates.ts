import type { SandboxTemplate } from './prepared.ts';

const website = 'https://www.example.com/';
const approved = { status: 'APPROVED', rejected_reason: 'NONE', category: 'UTILITY' } as const;
const body = (text: string, ...samples: string[]) => ({
  type: 'BODY',
  text,
  ...(samples.length > 0 && { example: { body_text: [samples] } }),
});
const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
const reply = (text: string) => ({ type: 'QUICK_REPLY', text });

/**
 * Templates of the demo account on the sandbox's platform (decisions, section 5), in English. The name is the suffix of
 * the template's id there; ids are the same in every sandbox.
 */
export const demoTemplates: readonly SandboxTemplate[] = (
  [
    { name: 'plain', ...approved, components: [body('Your order is on its way.')] },
    {
      name: 'two',
      ...approved,
      components: [body('Hello {{1}}, your order {{2}} is on its way.', 'Dana', '1234')],
    },
    {
      name: 'image',
      ...approved,
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: [`${website}sample.jpg`] } },
        body('Hello {{1}}, look what is new.', 'Dana'),
      ],
    },
    {
      name: 'website',
      ...approved,
      components: [
        body('Your invoice is ready.'),
        buttons(
          {
            type: 'URL',
            text: 'Open it',
            url: `${website}invoices/{{1}}`,
            example: [`${website}invoices/1234`],
          },
          { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+972550000001' },
        ),
      ],
    },
    {
      name: 'coupon',
      ...approved,
      category: 'MARKETING',
      components: [
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'For you', has_expiration: true } },
        body('A present for you.'),
        buttons({ type: 'COPY_CODE', example: '250000' }, { type: 'URL', text: 'To the shop', url: website }),
      ],
    },
    {
      name: 'otp',
      ...approved,
      category: 'AUTHENTICATION',
      components: [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'FOOTER', code_expiration_minutes: 5 },
        buttons({ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }),
      ],
    },
    {
      name: 'replies',
      ...approved,
      components: [body('Shall we come tomorrow?'), buttons(reply('Yes'), reply('No'), reply('Another day'))],
    },
    { name: 'pending', ...approved, status: 'PENDING', components: [body('Waits for its review.')] },
    {
      name: 'rejected',
      ...approved,
      status: 'REJECTED',
      rejected_reason: 'INVALID_FORMAT',
      components: [body('Was rejected.')],
    },
    { name: 'banned', ...approved, status: 'DISABLED', components: [body('Was banned.')] },
  ] as const
).map((template, index) => ({ id: String(100_000_000_000 + index + 1), language: 'en', ...template }));
