import { z } from 'zod';
import type { TemplateFields } from '../../../modules/conversations/reply-channel.ts';
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
  templateId: text.describe('Id of an approved template of the business number.'),
  dynamicFieldsObject: numberedValues.describe(
    'Variables of the body, by their numbers `1` to `5`; all variables of the template are required. No line breaks and no four spaces in a row.',
  ),
  couponCode: optionalText.meta({
    description: 'Coupon code, digits, for a template with a coupon.',
    maxLength: 15,
  }),
  couponExpiration: optionalText.describe(
    'Expiry of the coupon, `dd/mm/yyyy hh:mm` in the time zone of the account, for a template whose coupon expires.',
  ),
  headerLink: optionalText.describe(
    'Link to the media file, for a template with a media header. Images png, jpg, gif, jpeg up to 5 MB; documents pdf, doc, docx, xls, xlsx, ppt, ppts, pptx, zip, txt, rar up to 100 MB; videos mp4, avi, 3gpp up to 16 MB. For a text header with a variable: the value of the variable.',
  ),
  websiteVariable: optionalText.describe(
    'Value that completes the address of a website button with a variable.',
  ),
  websiteVariable2: optionalText.describe(
    'Number of the dynamic field that completes the address of a second website button.',
  ),
  otp: optionalText.meta({
    description: 'One-time code, for an authentication template.',
    maxLength: MAX_OTP,
  }),
  language: optionalText.describe(
    'Language of the template, as in the list of templates. Optional; if present, it must match the template.',
  ),
});

/** Sends one template message (interface, A2). */
export const templateMessage = messageOperation({
  // The last is the path in the interface.
  paths: ['send-template-message', 'send-template', 'send-whatsapp-template'],
  about: {
    id: 'sendTemplateMessage',
    title: 'Send a template message',
    description:
      'Sends an approved template to one phone, at any time. After two templates without a reply, the client has to write first. Opens and charges a conversation of 24 hours if none is open.',
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

/** The interface has a reason for this field but not the field itself. The values of older programs are compared. */
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
