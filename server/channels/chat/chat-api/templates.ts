import { z } from 'zod';
import type { OperationAbout, Parameter } from '../../../api/openapi/description.ts';
import { out } from '../../../api/openapi/out.ts';
import { languageNumber } from '../languages.ts';
import type { Template } from '../templates.ts';
import { aboutGet } from './about.ts';
import { accountFor, type Call } from './operation.ts';
import { templateFields } from './template-fields.ts';

const templateAnswer = z.object({
  name: out.text('Name of the template.', 'website'),
  templateId: out.text('Id of the template, for sending.', '1_972550000001_website'),
  language: out.text('Number of the language.', '2'),
  headerSample: out.text('Link to the example of a media header; empty without one.', ''),
  body: out.text('Text, with its variables written as `{{1}}`.', 'Your invoice is ready.'),
  footer: out.text('Footer; may be empty.', ''),
  buttons: out.text('Buttons: `1` none, `2` call-to-action buttons, `3` quick replies, `4` both.', '2'),
  callToAction: out.text('Call-to-action buttons: `0` none, `1` website, `2` call, `3` both.', '3'),
  callToActionWebsiteText: out.text('Text of the website button.', 'Open it'),
  callToActionWebsiteType: out.text('`1`: the address is fixed; `2`: a variable completes it.', '2'),
  callToActionWebsiteURL: out.text('Address of the website button.', 'https://www.example.com/invoices/'),
  callToActionCallText: out.text('Text of the call button.', 'Call us'),
  callToActionCallNumber: out.text('Phone number of the call button.', '+972550000001'),
  quickReply1: out.text('Text of the first quick reply.', ''),
  quickReply2: out.text('Text of the second quick reply.', ''),
  quickReply3: out.text('Text of the third quick reply.', ''),
  headers: out.text('Header: `1` no media, `2` image, `3` video, `4` document.', '1'),
  status: out.count('Status, 0 to 11. Templates with status 1, 10 or 11 can be sent.', 1),
});

const phone: Parameter = {
  name: 'phone',
  in: 'path',
  description: 'Business number.',
  required: true,
  schema: { type: 'string', examples: ['972550000001'] },
};
const templateId: Parameter = {
  name: 'templateId',
  in: 'path',
  description: 'Id of the template.',
  required: true,
  schema: { type: 'string', examples: ['1_972550000001_website'] },
};
const answer = z.object({
  success: out.flag('Whether the number belongs to the account.', true),
  templates: z.array(templateAnswer).describe('Templates of the number.'),
});

/** Documentation of both paths of A1. */
export const aboutTemplates: { readonly all: OperationAbout; readonly one: OperationAbout } = {
  all: aboutGet({
    id: 'listChatTemplates',
    title: 'List templates',
    description: 'Lists the templates of a business number with their review status.',
    parameters: [phone],
    answer,
    outcomes: [],
  }),
  one: aboutGet({
    id: 'showChatTemplate',
    title: 'Get one template',
    description: 'Returns the template with this id as a list; the list is empty if it does not exist.',
    parameters: [phone, templateId],
    answer,
    outcomes: [],
  }),
};

/** Lists the templates of a business number (interface, A1), all or the one with this id. */
export async function listTemplates(
  { phone, templateId }: { readonly phone: string; readonly templateId?: string },
  call: Call,
): Promise<object> {
  const { numbers, chatNumbers, templates } = call.services;
  const digits = numbers.parse(phone)?.digits;
  const number = digits === undefined ? undefined : await chatNumbers.find(digits);
  if (!number || number.accountId !== (await accountFor(phone, call))) {
    return refuseTemplates('phone: no business number of the account');
  }
  const found = await templates.list(number.accountId, number.phone, templateId);
  return { success: true, templates: found.map(show) };
}

/** Returns the response to a refused request. */
export const refuseTemplates = (message: string) => ({ success: false, message, templates: [] });

function show({ name, templateId, language, content, status }: Template): z.output<typeof templateAnswer> {
  const { headerSample, body, ...rest } = templateFields(content);
  return { name, templateId, language: languageNumber(language), headerSample, body, ...rest, status };
}
