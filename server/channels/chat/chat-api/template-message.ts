import { z } from 'zod';
import type { TemplateFields } from '../../../conversations/reply-channel.ts';
import { languageNumber } from '../languages.ts';
import {
  type Content,
  FieldProblem,
  fieldReader,
  looseText,
  numberedValues,
  optionalText,
  text,
} from './fields.ts';
import { messageOperation } from './message-operation.ts';
import { type Call, destination, readAddresses, source } from './operation.ts';
import { templateReasons } from './reasons.ts';

const MAX_OTP = 15;

const schema = z.object({
  source,
  destination,
  templateId: text.describe('The id of an approved template of the business number.'),
  dynamicFieldsObject: numberedValues.describe(
    'The variables of the body under `1` to `5`, all that the template has. Without line breaks and without four spaces in a row.',
  ),
  couponCode: optionalText.meta({
    description: 'For a template with a coupon: its code, digits.',
    maxLength: 15,
  }),
  couponExpiration: optionalText.describe(
    'For a coupon that ends: when, `dd/mm/yyyy hh:mm` in the time zone of the account.',
  ),
  headerLink: optionalText.describe(
    'For a template with a media header: the link. Images png, jpg, gif, jpeg to 5 MB; documents pdf, doc, docx, xls, xlsx, ppt, ppts, pptx, zip, txt, rar to 100 MB; videos mp4, avi, 3gpp to 16 MB. For a text header with a variable: its value.',
  ),
  websiteVariable: optionalText.describe('For a website button with a variable: what goes to its end.'),
  websiteVariable2: optionalText.describe('The same for a second website button.'),
  otp: optionalText.meta({ description: 'For an authentication template: the code.', maxLength: MAX_OTP }),
  language: optionalText.describe(
    'Need not be given: a template has one language. When it is, it must be that one, as the list of templates has it.',
  ),
});

/** Sends one template message (interface, A2). */
export const templateMessage = messageOperation({
  // The last is the one that the interface's own paths have.
  paths: ['send-template-message', 'send-template', 'send-whatsapp-template'],
  about: {
    id: 'sendTemplateMessage',
    title: 'Send a template message',
    description:
      'Sends an approved template to one phone, at any time; after two without an answer the client has to write first. It opens a conversation of 24 hours when there is none, and is charged then.',
    schema,
    example: {
      source: '972550000001',
      destination: '972501234567',
      templateId: '1_972550000001_two',
      dynamicFieldsObject: { '1': 'Dana', '2': '1234' },
    },
  },
  reasons: templateReasons,
  async send(content, call, sendKey) {
    const addresses = await readAddresses(content, call);
    const templateId = looseText(content.templateId);
    return call.services.sender.template(
      {
        ...addresses,
        templateId,
        fields: async () => {
          await checkLanguage(content, addresses.accountId, templateId, call);
          return readFields(content);
        },
      },
      sendKey,
    );
  },
});

function readFields(content: Content): TemplateFields {
  const read = fieldReader(schema, content);
  return {
    variables: read('dynamicFieldsObject'),
    couponCode: read('couponCode')?.trim(),
    couponExpiration: read('couponExpiration')?.trim(),
    headerLink: read('headerLink')?.trim(),
    websiteVariable: read('websiteVariable')?.trim(),
    websiteVariable2: read('websiteVariable2')?.trim(),
    otp: read('otp'),
  };
}

/** No field of the interface, which has a reason for it all the same: what older programs send is compared. */
async function checkLanguage(
  content: Content,
  accountId: number,
  templateId: string,
  { services }: Call,
): Promise<void> {
  if (content.language === undefined || content.language === null) return;
  const given = looseText(content.language);
  const template = await services.templates.find(accountId, templateId);
  if (!template || given === template.language || given === languageNumber(template.language)) return;
  throw new FieldProblem('language', 'language: is not that of the template');
}
