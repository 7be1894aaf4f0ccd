import type { IncomingContent } from '../../../server/protocols/chat-platform/incoming-content.ts';

/*
 * Messages of clients, one or more of every type that the platform's webhook reference has (pages dated March to August
 * 2026), and what each becomes.
 */

interface Example {
  readonly name: string;
  /** Besides `from`, `id` and `timestamp`. */
  readonly message: object;
  readonly content: Partial<IncomingContent> & Pick<IncomingContent, 'type'>;
  readonly origin?: object;
  readonly opensWindow: boolean;
}

const media = {
  id: '2754859441498128',
  mime_type: 'image/jpeg',
  sha256: 'Wq0jkdYfGDxSmZ9S3tGjIhJ0Wn8n2x3gU0nQ0Nq5Zt8=',
};
const file = {
  kind: 'image',
  id: media.id,
  mimeType: media.mime_type,
  fileName: '',
  sha256: media.sha256,
} as const;
const mediaDetails = { mime_type: media.mime_type, sha256: media.sha256 };
const unknownType = { code: 131051, title: 'Message type unknown', message: 'Message type unknown' };
const errors = [{ ...unknownType, error_data: { details: 'Message type is currently not supported.' } }];
const errorDetails = [
  { code: 131051, title: 'Message type unknown', details: 'Message type is currently not supported.' },
];

export const incomingExamples: readonly Example[] = [
  {
    name: 'a text',
    message: { type: 'text', text: { body: 'Is it in stock?' } },
    content: { type: 'text', body: 'Is it in stock?' },
    opensWindow: true,
  },
  {
    name: 'a text that was forwarded',
    message: { type: 'text', text: { body: 'Look' }, context: { forwarded: true } },
    content: { type: 'text', body: 'Look' },
    origin: { forwarded: true },
    opensWindow: true,
  },
  {
    name: 'a text that was forwarded many times',
    message: { type: 'text', text: { body: 'Look' }, context: { frequently_forwarded: true } },
    content: { type: 'text', body: 'Look' },
    origin: { forwarded: true, frequently_forwarded: true },
    opensWindow: true,
  },
  {
    name: 'a text after a tap on an advertisement',
    message: {
      type: 'text',
      text: { body: 'Tell me more' },
      referral: {
        source_url: 'https://fb.example/ad',
        source_id: '120226305854810726',
        source_type: 'ad',
        body: 'Fresh succulents',
        headline: 'Chat with us',
        media_type: 'image',
        image_url: 'https://scontent.example/image.jpg',
        ctwa_clid: 'Aff-n8ZTODiE79d22KtAwQKj9e',
        welcome_message: { text: 'Hi there!' },
      },
    },
    content: { type: 'text', body: 'Tell me more' },
    origin: {
      referral: {
        source_type: 'ad',
        source_id: '120226305854810726',
        source_url: 'https://fb.example/ad',
        headline: 'Chat with us',
        body: 'Fresh succulents',
        media_type: 'image',
        image_url: 'https://scontent.example/image.jpg',
        ctwa_clid: 'Aff-n8ZTODiE79d22KtAwQKj9e',
      },
    },
    opensWindow: true,
  },
  {
    name: 'a question about a product',
    message: {
      type: 'text',
      text: { body: 'Is this one left?' },
      context: {
        from: '15550783881',
        id: 'wamid.P',
        referred_product: { catalog_id: '194836987003835', product_retailer_id: 'nc8pz1n7e2' },
      },
    },
    content: { type: 'text', body: 'Is this one left?' },
    origin: { product: { catalog_id: '194836987003835', product_retailer_id: 'nc8pz1n7e2' } },
    opensWindow: true,
  },
  {
    name: 'an image',
    message: { type: 'image', image: { ...media, caption: 'This one' } },
    content: { type: 'image', body: 'This one', details: mediaDetails, media: file },
    opensWindow: true,
  },
  {
    name: 'a video',
    message: { type: 'video', video: { ...media, mime_type: 'video/mp4' } },
    content: {
      type: 'video',
      details: { ...mediaDetails, mime_type: 'video/mp4' },
      media: { ...file, kind: 'video', mimeType: 'video/mp4' },
    },
    opensWindow: true,
  },
  {
    name: 'a document',
    message: {
      type: 'document',
      document: { ...media, mime_type: 'application/pdf', filename: 'order.pdf', caption: 'See' },
    },
    content: {
      type: 'document',
      body: 'See',
      details: { ...mediaDetails, mime_type: 'application/pdf', file_name: 'order.pdf' },
      media: { ...file, kind: 'document', mimeType: 'application/pdf', fileName: 'order.pdf' },
    },
    opensWindow: true,
  },
  {
    name: 'a voice message',
    message: { type: 'audio', audio: { ...media, mime_type: 'audio/ogg; codecs=opus', voice: true } },
    content: {
      type: 'audio',
      details: { ...mediaDetails, mime_type: 'audio/ogg; codecs=opus', voice: true },
      media: { ...file, kind: 'audio', mimeType: 'audio/ogg; codecs=opus' },
    },
    opensWindow: true,
  },
  {
    name: 'a sound file',
    message: { type: 'audio', audio: { ...media, mime_type: 'audio/mpeg', voice: false } },
    content: {
      type: 'audio',
      details: { ...mediaDetails, mime_type: 'audio/mpeg' },
      media: { ...file, kind: 'audio', mimeType: 'audio/mpeg' },
    },
    opensWindow: true,
  },
  {
    name: 'a sticker that moves',
    message: { type: 'sticker', sticker: { ...media, mime_type: 'image/webp', animated: true } },
    content: {
      type: 'sticker',
      details: { ...mediaDetails, mime_type: 'image/webp', animated: true },
      media: { ...file, kind: 'sticker', mimeType: 'image/webp' },
    },
    opensWindow: true,
  },
  {
    name: 'the place where a client is',
    message: { type: 'location', location: { latitude: 32.0853, longitude: 34.7818 } },
    content: {
      type: 'location',
      body: '32.0853,34.7818',
      details: { latitude: 32.0853, longitude: 34.7818 },
    },
    opensWindow: true,
  },
  {
    name: 'a place with its name',
    message: {
      type: 'location',
      location: {
        latitude: 37.44,
        longitude: -122.16,
        name: 'Philz Coffee',
        address: '101 Forest Ave, Palo Alto',
        url: 'https://coffee.example/',
      },
    },
    content: {
      type: 'location',
      body: '37.44,-122.16',
      details: {
        latitude: 37.44,
        longitude: -122.16,
        name: 'Philz Coffee',
        address: '101 Forest Ave, Palo Alto',
        url: 'https://coffee.example/',
      },
    },
    opensWindow: true,
  },
  {
    name: 'contact cards',
    message: {
      type: 'contacts',
      contacts: [
        {
          name: { formatted_name: 'Barbara J. Johnson', first_name: 'Barbara', last_name: 'Johnson' },
          org: { company: 'Social Tsunami', department: 'Legal', title: 'Lead Counsel' },
          phones: [{ phone: '+1 (415) 555-0829', wa_id: '14155550829', type: 'MOBILE' }],
          emails: [{ email: 'bjohnson@social.example', type: 'WORK' }],
          urls: [{ url: 'https://social.example', type: 'WORK' }],
          addresses: [{ street: '1 Lucky Shrub Way', city: 'Menlo Park', country_code: 'US', type: 'WORK' }],
          birthday: '1999-01-23',
        },
        { name: { first_name: 'Dana', last_name: 'Levi' } },
      ],
    },
    content: {
      type: 'contacts',
      body: 'Barbara J. Johnson, Dana Levi',
      details: {
        contacts: [
          {
            name: 'Barbara J. Johnson',
            phones: [{ phone: '+1 (415) 555-0829', wa_id: '14155550829', type: 'MOBILE' }],
            emails: [{ email: 'bjohnson@social.example', type: 'WORK' }],
            urls: [{ url: 'https://social.example', type: 'WORK' }],
            addresses: [{ street: '1 Lucky Shrub Way', city: 'Menlo Park', type: 'WORK' }],
            company: 'Social Tsunami',
            department: 'Legal',
            title: 'Lead Counsel',
            birthday: '1999-01-23',
          },
          { name: 'Dana Levi' },
        ],
      },
    },
    opensWindow: true,
  },
  {
    name: 'an order',
    message: {
      type: 'order',
      order: {
        catalog_id: '194836987003835',
        text: 'Thank you!',
        product_items: [
          { product_retailer_id: 'di9ozbzfi4', quantity: 2, item_price: 7.99, currency: 'USD' },
          { product_retailer_id: 'nqryix03ez', quantity: 1, item_price: 35, currency: 'USD' },
        ],
      },
    },
    content: {
      type: 'order',
      body: 'Thank you!',
      details: {
        catalog_id: '194836987003835',
        items: [
          { product_retailer_id: 'di9ozbzfi4', quantity: 2, item_price: '7.99', currency: 'USD' },
          { product_retailer_id: 'nqryix03ez', quantity: 1, item_price: '35', currency: 'USD' },
        ],
      },
    },
    opensWindow: true,
  },
  {
    name: "a template's quick reply",
    message: { type: 'button', button: { payload: 'Unsubscribe', text: 'Unsubscribe' } },
    content: { type: 'button', body: 'Unsubscribe', buttonId: 'Unsubscribe' },
    opensWindow: true,
  },
  {
    name: 'a reply button',
    message: {
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: '2', title: 'No' } },
    },
    content: { type: 'button', body: 'No', buttonId: '2' },
    opensWindow: true,
  },
  {
    name: "a button of a carousel's card",
    message: {
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'card10:my id', title: 'Buy' } },
    },
    content: { type: 'button', body: 'Buy', buttonId: 'my id', card: 10 },
    opensWindow: true,
  },
  {
    name: 'a choice from a list',
    message: {
      type: 'interactive',
      interactive: {
        type: 'list_reply',
        list_reply: { id: 'priority_express', title: 'Priority Mail Express', description: 'Next day' },
      },
    },
    content: {
      type: 'list',
      body: 'Priority Mail Express',
      buttonId: 'priority_express',
      details: { description: 'Next day' },
    },
    opensWindow: true,
  },
  {
    name: 'the answers of a flow',
    message: {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"rating":"4","flow_token":"t"}' },
      },
    },
    content: {
      type: 'flow',
      body: 'Sent',
      details: { name: 'flow', response: { rating: '4', flow_token: 't' } },
    },
    opensWindow: true,
  },
  {
    name: 'an address that was asked for',
    message: {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'address_message', response_json: '{"values":{"city":"Haifa"}}' },
      },
    },
    content: { type: 'flow', details: { name: 'address_message', response: { values: { city: 'Haifa' } } } },
    opensWindow: true,
  },
  {
    name: 'answers that cannot be read',
    message: {
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', response_json: '{"rating' } },
    },
    content: { type: 'flow', details: { name: 'flow', response: '{"rating' } },
    opensWindow: true,
  },
  {
    name: 'a reaction',
    message: { type: 'reaction', reaction: { message_id: 'wamid.0', emoji: '👍' } },
    content: { type: 'reaction', body: '👍', about: 'wamid.0' },
    opensWindow: false,
  },
  {
    name: 'a reaction that is taken back',
    message: { type: 'reaction', reaction: { message_id: 'wamid.0' } },
    content: { type: 'reaction', about: 'wamid.0' },
    opensWindow: false,
  },
  {
    name: 'an edited text',
    message: {
      type: 'edit',
      edit: {
        original_message_id: 'wamid.0',
        message: { context: { id: 'M0' }, type: 'text', text: { body: 'Tomorrow at 5' } },
      },
    },
    content: { type: 'edited', body: 'Tomorrow at 5', about: 'wamid.0', details: { type: 'text' } },
    opensWindow: false,
  },
  {
    name: 'an edited caption',
    message: {
      type: 'edit',
      edit: {
        original_message_id: 'wamid.0',
        message: { type: 'image', image: { ...media, caption: 'The other one' } },
      },
    },
    content: {
      type: 'edited',
      body: 'The other one',
      about: 'wamid.0',
      details: { type: 'image', ...mediaDetails },
    },
    opensWindow: false,
  },
  {
    name: 'a deleted message',
    message: { type: 'revoke', revoke: { original_message_id: 'wamid.0' } },
    content: { type: 'deleted', about: 'wamid.0' },
    opensWindow: false,
  },
  {
    name: 'a changed number',
    message: {
      type: 'system',
      system: {
        body: 'User Dana changed from 16505551234 to 12195555358',
        wa_id: '12195555358',
        type: 'user_changed_number',
        user_id: 'US.2',
        previous_user_id: 'US.1',
      },
    },
    content: {
      type: 'system',
      body: 'User Dana changed from 16505551234 to 12195555358',
      details: {
        event: 'user_changed_number',
        new_number: '12195555358',
        user_id: 'US.2',
        previous_user_id: 'US.1',
      },
    },
    opensWindow: false,
  },
  {
    name: 'a changed user id',
    message: {
      type: 'system',
      system: { type: 'user_changed_user_id', user_id: 'US.2', previous_user_id: 'US.1' },
    },
    content: {
      type: 'system',
      details: { event: 'user_changed_user_id', user_id: 'US.2', previous_user_id: 'US.1' },
    },
    opensWindow: false,
  },
  {
    name: 'a changed identity',
    message: {
      type: 'system',
      identity: { acknowledged: true, created_timestamp: '1697044706', hash: 'h' },
      system: { body: 'User identity changed', type: 'customer_identity_changed' },
    },
    content: {
      type: 'system',
      body: 'User identity changed',
      details: { event: 'customer_identity_changed' },
    },
    opensWindow: false,
  },
  {
    name: 'what the platform does not pass on',
    message: { type: 'unsupported', unsupported: { type: 'poll_creation' }, errors },
    content: {
      type: 'unsupported',
      details: { platform_type: 'poll_creation', errors: errorDetails },
    },
    opensWindow: false,
  },
  {
    name: 'what the platform does not pass on, of older versions',
    message: { type: 'unsupported', errors },
    content: { type: 'unsupported', details: { errors: errorDetails } },
    opensWindow: false,
  },
  {
    name: 'a permission to call, which this service does not ask for',
    message: {
      type: 'interactive',
      interactive: {
        type: 'call_permission_reply',
        call_permission_reply: {
          response: 'accept',
          is_permanent: false,
          expiration_timestamp: 1755544804,
          response_source: 'user_action',
        },
      },
    },
    content: {
      type: 'other',
      details: {
        platform_type: 'interactive',
        raw: {
          type: 'call_permission_reply',
          call_permission_reply: {
            response: 'accept',
            is_permanent: false,
            expiration_timestamp: 1755544804,
            response_source: 'user_action',
          },
        },
      },
    },
    opensWindow: true,
  },
  {
    name: 'an interactive message that the platform could not pass on',
    message: { type: 'interactive' },
    content: { type: 'other', details: { platform_type: 'interactive', raw: null } },
    opensWindow: true,
  },
  {
    name: 'a type of later versions',
    message: { type: 'hologram', hologram: { id: '7', points: [1, null, { x: 'a\0b' }] } },
    content: {
      type: 'other',
      details: { platform_type: 'hologram', raw: { id: '7', points: [1, null, { x: 'ab' }] } },
    },
    opensWindow: true,
  },
  {
    name: 'a type that is none',
    message: { type: 'constructor' },
    content: { type: 'other', details: { platform_type: 'constructor', raw: null } },
    opensWindow: true,
  },
];
