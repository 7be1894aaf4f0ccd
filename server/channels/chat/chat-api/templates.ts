import { z } from 'zod';
import type { OperationAbout, Parameter } from '../../../interfaces/openapi/description.ts';
import { out } from '../../../interfaces/openapi/out.ts';
import { languageNumber } from '../languages.ts';
import type { Template } from '../templates.ts';
import { aboutGet } from './about.ts';
import { accountFor, type Call } from './operation.ts';
import { templateFields } from './template-fields.ts';

const templateAnswer = z.object({
  name: out.text('Its name.', 'website'),
  templateId: out.text('Its id, to send it with.', '1_972550000001_website'),
  language: out.text("The language's number.", '2'),
  headerSample: out.text('A link to the example of a media header; else empty.', ''),
  body: out.text('The text, its variables as `{{1}}`.', 'Your invoice is ready.'),
  footer: out.text('The footer, may be empty.', ''),
  buttons: out.text('`1` none, `2` that open something, `3` quick replies, `4` both.', '2'),
  callToAction: out.text('`0` none, `1` a website button, `2` a call button, `3` both.', '3'),
  callToActionWebsiteText: out.text('The text of the website button.', 'Open it'),
  callToActionWebsiteType: out.text('`1`: its address is fixed; `2`: a variable goes to its end.', '2'),
  callToActionWebsiteURL: out.text('The address.', 'https://www.example.com/invoices/'),
  callToActionCallText: out.text('The text of the call button.', 'Call us'),
  callToActionCallNumber: out.text('The number that it calls.', '+972550000001'),
  quickReply1: out.text('The text of the first quick reply.', ''),
  quickReply2: out.text('The text of the second.', ''),
  quickReply3: out.text('The text of the third.', ''),
  headers: out.text('The header: `1` no media, `2` an image, `3` a video, `4` a document.', '1'),
  status: out.count('0 to 11; 1, 10 and 11 can be sent.', 1),
});

const phone: Parameter = {
  name: 'phone',
  in: 'path',
  description: 'The business number.',
  required: true,
  schema: { type: 'string', examples: ['972550000001'] },
};
const templateId: Parameter = {
  name: 'templateId',
  in: 'path',
  description: 'The id of the template.',
  required: true,
  schema: { type: 'string', examples: ['1_972550000001_website'] },
};
const answer = z.object({
  success: out.flag('Whether the number is one of the account.', true),
  templates: z.array(templateAnswer).describe('The templates.'),
});

/** What is said of both paths of A1. */
export const aboutTemplates: { readonly all: OperationAbout; readonly one: OperationAbout } = {
  all: aboutGet({
    id: 'listChatTemplates',
    title: 'List templates',
    description: 'The templates of a business number, with the state of their review.',
    parameters: [phone],
    answer,
    outcomes: [],
  }),
  one: aboutGet({
    id: 'showChatTemplate',
    title: 'Get one template',
    description: 'The template with this id, in a list; the list is empty when there is none.',
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

/** The answer to what is refused. */
export const refuseTemplates = (message: string) => ({ success: false, message, templates: [] });

function show({ name, templateId, language, content, status }: Template): z.output<typeof templateAnswer> {
  const { headerSample, body, ...rest } = templateFields(content);
  return { name, templateId, language: languageNumber(language), headerSample, body, ...rest, status };
}
