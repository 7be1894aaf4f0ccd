import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { SignJWT } from 'jose';
import type { SignatureScheme } from '../../../server/protocols/http-carrier/signature-settings.ts';
import { signatureOf } from '../../../server/protocols/http-carrier/twilio-signature.ts';
import { formOf, jsonOf, PATH_SECRET, PUBLIC_URL, type Received, type Reply } from './support.ts';

/*
 * What the public references of the providers say about their interfaces (docs/http-carriers.md lists them): requests that they
 * accept, answers that they give, and their own requests with signatures.
 */

/** A request of a provider to this service. */
export interface ProviderRequest {
  readonly method?: 'GET';
  readonly type?: string;
  readonly body: string;
}

export interface ProviderCase {
  readonly secrets: Readonly<Record<string, string>>;
  /** Returns what the provider reads of a request; it must equal `request`. */
  readonly reads: (request: Received) => unknown;
  readonly request: unknown;
  /** Answers with their outcome: the ids, `throttled`, `down`, or the code of a refusal or retry. */
  readonly answers: readonly (readonly [Reply, string | readonly string[]])[];
  readonly reports: readonly (readonly [ProviderRequest, id: string, status: number, code: string])[];
  readonly incoming: ProviderRequest;
  /** Signature that the provider offers and its description does not require. */
  readonly signature?: SignatureScheme;
  /** Returns the headers of the signature; undefined when the provider has none. */
  readonly sign?: (url: string, body: string, now: number) => Promise<Readonly<Record<string, string>>>;
}

export const REPORTS = `${PUBLIC_URL}/carrier-requests/test/${PATH_SECRET}/reports`;
const basic = ({ headers }: Received) =>
  Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString();
const form = (fields: Record<string, string>): ProviderRequest => ({
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(fields).toString(),
});
const json = (content: unknown): ProviderRequest => ({
  type: 'application/json',
  body: JSON.stringify(content),
});
const hmac = (key: string | Buffer, content: string | Buffer) =>
  createHmac('sha256', key).update(content).digest('base64');
const sha256 = (content: string) => createHash('sha256').update(content).digest();
const status = (code: number, body: string | object = ''): Reply => ({ status: code, body });

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const webhookKey = Buffer.from('a key of a webhook endpoint in tests');

const twilio: ProviderCase = {
  secrets: { account: 'AC0123', token: 'auth-token' },
  reads: (request) => [request.path, basic(request), formOf(request)],
  request: [
    '/2010-04-01/Accounts/AC0123/Messages.json',
    'AC0123:auth-token',
    { To: '+972501234567', From: 'Shop', Body: 'Hello', StatusCallback: REPORTS },
  ],
  answers: [
    [
      status(201, { sid: 'SM1', status: 'queued', num_segments: '1', price: null, error_code: null }),
      ['SM1'],
    ],
    [status(429, { code: 20429, message: 'Too Many Requests', status: 429 }), 'throttled'],
    [status(401, { code: 20003, message: 'Authenticate', status: 401 }), 'down'],
    [status(400, { code: 21211, message: "Invalid 'To' Phone Number", status: 400 }), '21211'],
    [status(400, { code: 21212, message: "Invalid 'From' Phone Number", status: 400 }), '21212'],
    [status(503), 'HTTP_503'],
  ],
  reports: [
    [form({ MessageSid: 'SM1', MessageStatus: 'sent', To: '+972501234567' }), 'SM1', -1, 'sent'],
    [form({ MessageSid: 'SM1', MessageStatus: 'delivered', To: '+972501234567' }), 'SM1', 102, 'delivered'],
    [
      form({ MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30003', To: '+972501234567' }),
      ...(['SM1', 101, 'undelivered/30003'] as const),
    ],
  ],
  incoming: form({
    MessageSid: 'SM2',
    From: '+972501234567',
    To: '+97237654321',
    Body: 'Hi ש',
    NumMedia: '0',
  }),
  sign: async (url, body) => ({
    'x-twilio-signature': signatureOf('auth-token', url, Object.fromEntries(new URLSearchParams(body))),
  }),
};

const vonage: ProviderCase = {
  secrets: { key: 'abcd1234', secret: 'pw', signature: 'signature secret' },
  reads: (request) => {
    const { ttl, ...rest } = jsonOf(request);
    return [request.path, basic(request), typeof ttl, rest];
  },
  request: [
    '/v1/messages',
    'abcd1234:pw',
    'number',
    {
      ...{ channel: 'sms', message_type: 'text', to: '972501234567', from: 'Shop', text: 'Hello' },
      ...{ client_ref: '7001', webhook_url: REPORTS, webhook_version: 'v1' },
    },
  ],
  answers: [
    [
      status(202, { message_uuid: 'aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab' }),
      ['aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab'],
    ],
    [status(429, { title: 'Rate Limit Hit' }), 'throttled'],
    [status(401, { title: 'Unauthorized' }), 'down'],
    [status(402, { title: 'Low balance' }), 'down'],
    [status(422, { title: 'Invalid params', type: 'https://x.example/errors' }), 'Invalid params'],
  ],
  reports: [
    [
      json({ message_uuid: 'u1', to: '972501234567', status: 'submitted', channel: 'sms' }),
      'u1',
      -1,
      'submitted',
    ],
    [json({ message_uuid: 'u1', to: '972501234567', status: 'delivered' }), 'u1', 102, 'delivered'],
    [json({ message_uuid: 'u1', status: 'rejected', error: { title: 1_340 } }), 'u1', 101, 'rejected/1340'],
  ],
  incoming: json({
    ...{ channel: 'sms', message_type: 'text', message_uuid: 'u2' },
    ...{ from: '972501234567', to: '97237654321', text: 'Hi ש' },
  }),
  sign: async (_url, body, now) => {
    const token = new SignJWT({ payload_hash: sha256(body).toString('hex'), api_key: 'abcd1234' });
    const signed = token
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('Vonage')
      .setIssuedAt(Math.floor(now / 1_000));
    return { authorization: `Bearer ${await signed.sign(Buffer.from('signature secret'))}` };
  },
};

const infobipAnswer = (groupName: string, name: string) =>
  status(200, {
    bulkId: 'b1',
    messages: [
      {
        messageId: '7001',
        destination: '972501234567',
        status: { groupName, name },
        details: { messageCount: 1 },
      },
    ],
  });
const infobip: ProviderCase = {
  secrets: { host: 'x1.api.infobip.com', key: 'k3y' },
  reads: (request) => {
    const [{ options, ...message }] = jsonOf(request).messages;
    return [request.path, request.headers.authorization, options.validityPeriod.timeUnit, message];
  },
  request: [
    '/sms/3/messages',
    'App k3y',
    'SECONDS',
    {
      sender: 'Shop',
      destinations: [{ to: '972501234567', messageId: '7001' }],
      content: { text: 'Hello' },
      webhooks: { delivery: { url: REPORTS }, contentType: 'application/json' },
    },
  ],
  answers: [
    [infobipAnswer('PENDING', 'PENDING_ACCEPTED'), ['7001']],
    [infobipAnswer('REJECTED', 'REJECTED_SENDER'), 'REJECTED_SENDER'],
    [infobipAnswer('REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS'), 'down'],
    [status(429, { errorCode: 'E429' }), 'throttled'],
    [status(401, { requestError: { serviceException: { messageId: 'UNAUTHORIZED' } } }), 'down'],
    [status(400, { requestError: { serviceException: { messageId: 'BAD_REQUEST' } } }), 'BAD_REQUEST'],
  ],
  reports: [
    [
      json({
        results: [
          {
            messageId: '7001',
            to: '972501234567',
            status: { groupName: 'DELIVERED', name: 'DELIVERED_TO_HANDSET' },
            error: { name: 'NO_ERROR' },
          },
        ],
      }),
      ...(['7001', 102, 'DELIVERED/NO_ERROR'] as const),
    ],
    [
      json({
        results: [
          {
            messageId: '7001',
            status: { groupName: 'UNDELIVERABLE' },
            error: { name: 'EC_ABSENT_SUBSCRIBER' },
          },
        ],
      }),
      ...(['7001', 101, 'UNDELIVERABLE/EC_ABSENT_SUBSCRIBER'] as const),
    ],
  ],
  incoming: json({
    results: [
      {
        messageId: 'i1',
        from: '972501234567',
        to: '97237654321',
        text: 'Hi ש',
        receivedAt: '2026-11-29T10:00:00Z',
      },
    ],
  }),
};

const sinch: ProviderCase = {
  signature: { scheme: 'sinch', secret: 'webhook', maxAge: 300 },
  secrets: { region: 'eu', plan: 'plan1', token: 't0ken', webhook: 'webhook secret' },
  reads: (request) => [request.path, request.headers.authorization, jsonOf(request)],
  request: [
    '/xms/v1/plan1/batches',
    'Bearer t0ken',
    {
      ...{ from: 'Shop', to: ['972501234567'], body: 'Hello', delivery_report: 'per_recipient' },
      ...{ callback_url: REPORTS, client_reference: '7001' },
    },
  ],
  answers: [
    [status(201, { id: '01FC66621XXXXX119Z8PMV1QPQ', canceled: false }), ['01FC66621XXXXX119Z8PMV1QPQ']],
    [status(429), 'throttled'],
    [status(401, { code: 'unauthorized' }), 'down'],
    [
      status(400, { code: 'syntax_invalid_parameter_format', text: 'bad' }),
      'syntax_invalid_parameter_format',
    ],
    [status(403, { code: 'missing_callback_url' }), 'missing_callback_url'],
  ],
  reports: [
    [
      json({
        type: 'recipient_delivery_report_sms',
        batch_id: 'b1',
        recipient: '972501234567',
        code: 0,
        status: 'Delivered',
      }),
      ...(['b1', 102, 'Delivered'] as const),
    ],
    [
      json({
        type: 'recipient_delivery_report_sms',
        batch_id: 'b1',
        recipient: '972501234567',
        code: 406,
        status: 'Expired',
      }),
      ...(['b1', 103, 'Expired/406'] as const),
    ],
  ],
  incoming: json({ type: 'mo_text', id: 'm1', from: '972501234567', to: '97237654321', body: 'Hi ש' }),
  sign: async (_url, body, now) => {
    const time = String(Math.floor(now / 1_000));
    return {
      'x-sinch-webhook-signature': hmac('webhook secret', `${body}.n0nce.${time}`),
      'x-sinch-webhook-signature-nonce': 'n0nce',
      'x-sinch-webhook-signature-timestamp': time,
      'x-sinch-webhook-signature-algorithm': 'HmacSHA256',
    };
  },
};

const bird: ProviderCase = {
  secrets: { workspace: 'w1', channel: 'c1', key: 'k3y', signing: 'signing key' },
  reads: (request) => [request.path, request.headers.authorization, jsonOf(request)],
  request: [
    '/workspaces/w1/channels/c1/messages',
    'AccessKey k3y',
    {
      receiver: { contacts: [{ identifierKey: 'phonenumber', identifierValue: '+972501234567' }] },
      body: { type: 'text', text: { text: 'Hello' } },
      reference: '7001',
    },
  ],
  answers: [
    [status(202, { id: 'm1', status: 'accepted' }), ['m1']],
    [status(429, { code: 'RateLimitExceeded' }), 'throttled'],
    [status(401, { code: 'Unauthorized' }), 'down'],
    [status(422, { code: 'InvalidPayload' }), 'InvalidPayload'],
  ],
  reports: [
    [
      json({ service: 'channels', event: 'sms.outbound', payload: { id: 'm1', status: 'delivered' } }),
      ...(['m1', 102, 'delivered'] as const),
    ],
    [
      json({
        service: 'channels',
        event: 'sms.outbound',
        payload: { id: 'm1', status: 'delivery_failed', failure: { code: 5_104 } },
      }),
      ...(['m1', 101, 'delivery_failed/5104'] as const),
    ],
  ],
  incoming: json({
    service: 'channels',
    event: 'sms.inbound',
    payload: {
      id: 'm2',
      sender: { contact: { identifierKey: 'phonenumber', identifierValue: '+972501234567' } },
      receiver: { connector: { id: 'x', identifierValue: '+97237654321' } },
      body: { type: 'text', text: { text: 'Hi ש' } },
    },
  }),
  sign: async (url, body, now) => {
    const time = String(Math.floor(now / 1_000));
    const signed = Buffer.concat([Buffer.from(`${time}\n${url}\n`), sha256(body)]);
    return { 'messagebird-signature': hmac('signing key', signed), 'messagebird-request-timestamp': time };
  },
};

const plivo: ProviderCase = {
  secrets: { account: 'MA0123', token: 'auth-token' },
  reads: (request) => [request.path, basic(request), jsonOf(request)],
  request: [
    '/v1/Account/MA0123/Message/',
    'MA0123:auth-token',
    { src: 'Shop', dst: '972501234567', text: 'Hello', url: REPORTS, method: 'POST' },
  ],
  answers: [
    [status(202, { message: 'message(s) queued', message_uuid: ['u1'], api_id: 'a1' }), ['u1']],
    [status(429, { error: 'rate limit' }), 'throttled'],
    [status(401, 'Could not verify your access level for that URL.'), 'down'],
    [status(400, { error: 'dst parameter is invalid', api_id: 'a1' }), 'dst parameter is invalid'],
  ],
  reports: [
    [
      form({ MessageUUID: 'u1', Status: 'delivered', ErrorCode: '000', To: '972501234567' }),
      'u1',
      102,
      'delivered',
    ],
    [
      form({ MessageUUID: 'u1', Status: 'undelivered', ErrorCode: '300', To: '972501234567' }),
      'u1',
      101,
      'undelivered/300',
    ],
  ],
  incoming: form({ MessageUUID: 'u2', From: '972501234567', To: '97237654321', Text: 'Hi ש', Type: 'sms' }),
  sign: async (url) => ({
    'x-plivo-signature-v2': hmac('auth-token', `${url.split('?')[0]}n0nce`),
    'x-plivo-signature-v2-nonce': 'n0nce',
  }),
};

const telnyx: ProviderCase = {
  secrets: {
    key: 'KEY0123',
    profile: 'profile-1',
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
  },
  reads: (request) => [request.path, request.headers.authorization, jsonOf(request)],
  request: [
    '/v2/messages',
    'Bearer KEY0123',
    {
      ...{ from: 'Shop', to: '+972501234567', text: 'Hello' },
      ...{ messaging_profile_id: 'profile-1', webhook_url: REPORTS },
    },
  ],
  answers: [
    [
      status(200, { data: { id: 'm1', record_type: 'message', parts: 1, cost: { amount: '0.0051' } } }),
      ['m1'],
    ],
    [status(429, { errors: [{ code: '10011', title: 'Too many requests' }] }), 'throttled'],
    [status(401, { errors: [{ code: '10009' }] }), 'down'],
    [status(403, { errors: [{ code: '20100' }] }), 'down'],
    [status(422, { errors: [{ code: '40310' }] }), '40310'],
  ],
  reports: [
    [
      json({
        data: {
          event_type: 'message.finalized',
          payload: { id: 'm1', to: [{ phone_number: '+972501234567', status: 'delivered' }], errors: [] },
        },
      }),
      ...(['m1', 102, 'delivered'] as const),
    ],
    [
      json({
        data: {
          event_type: 'message.finalized',
          payload: { id: 'm1', to: [{ status: 'delivery_failed' }], errors: [{ code: '40008' }] },
        },
      }),
      ...(['m1', 101, 'delivery_failed/40008'] as const),
    ],
  ],
  incoming: json({
    data: {
      event_type: 'message.received',
      payload: {
        id: 'm2',
        from: { phone_number: '+972501234567' },
        to: [{ phone_number: '+97237654321' }],
        text: 'Hi ש',
      },
    },
  }),
  sign: async (_url, body, now) => {
    const time = String(Math.floor(now / 1_000));
    return {
      'telnyx-signature-ed25519': sign(null, Buffer.from(`${time}|${body}`), privateKey).toString('base64'),
      'telnyx-timestamp': time,
    };
  },
};

const africasAnswer = (statusCode: number, word: string) =>
  status(201, {
    SMSMessageData: {
      Message: 'Sent to 1/1 Total Cost: KES 0.8000',
      Recipients: [
        { statusCode, number: '+972501234567', status: word, cost: 'KES 0.8000', messageId: 'ATXid_1' },
      ],
    },
  });
const africasTalking: ProviderCase = {
  secrets: { key: 'k3y', username: 'shop' },
  reads: (request) => [request.path, request.headers.apikey, formOf(request)],
  request: [
    '/version1/messaging',
    'k3y',
    { username: 'shop', to: '+972501234567', from: 'Shop', message: 'Hello' },
  ],
  answers: [
    [africasAnswer(101, 'Success'), ['ATXid_1']],
    [africasAnswer(402, 'InvalidSenderId'), 'InvalidSenderId'],
    [africasAnswer(403, 'InvalidPhoneNumber'), 'InvalidPhoneNumber'],
    [africasAnswer(405, 'InsufficientBalance'), 'down'],
    [africasAnswer(501, 'GatewayError'), 'GatewayError'],
    [status(401, 'The supplied authentication is invalid'), 'down'],
    [status(429), 'throttled'],
  ],
  reports: [
    [
      form({ id: 'ATXid_1', status: 'Success', phoneNumber: '+972501234567', networkCode: '63902' }),
      'ATXid_1',
      102,
      'Success',
    ],
    [
      form({
        id: 'ATXid_1',
        status: 'Failed',
        phoneNumber: '+972501234567',
        failureReason: 'UserInBlacklist',
      }),
      ...(['ATXid_1', 101, 'Failed/UserInBlacklist'] as const),
    ],
  ],
  incoming: form({
    id: 'i1',
    from: '+972501234567',
    to: '97237654321',
    text: 'Hi ש',
    date: '2026-11-29 10:00:00',
  }),
};

const clickatell: ProviderCase = {
  secrets: { key: 'k3y' },
  reads: (request) => [request.path, request.headers.authorization, jsonOf(request)],
  request: [
    '/v1/message',
    'k3y',
    { messages: [{ channel: 'sms', to: '972501234567', content: 'Hello', clientMessageId: '7001' }] },
  ],
  answers: [
    [
      status(202, {
        messages: [{ apiMessageId: 'm1', accepted: true, to: '972501234567', error: null }],
        error: null,
      }),
      ['m1'],
    ],
    [
      status(207, {
        messages: [{ apiMessageId: null, accepted: false, error: { code: 9, description: 'bad' } }],
      }),
      '9',
    ],
    [status(401, { error: { code: 108 } }), 'down'],
    [status(402, { error: { code: 301 } }), 'down'],
    [status(429), 'throttled'],
  ],
  reports: [
    [
      json({
        event: {
          messageStatusUpdate: [
            { messageId: 'm1', to: '972501234567', statusCode: 4, status: 'RECEIVED_BY_RECIPIENT' },
          ],
        },
      }),
      ...(['m1', 102, 'RECEIVED_BY_RECIPIENT/4'] as const),
    ],
    [
      json({ event: { messageStatusUpdate: [{ messageId: 'm1', statusCode: 10, status: 'EXPIRED' }] } }),
      ...(['m1', 103, 'EXPIRED/10'] as const),
    ],
  ],
  incoming: json({
    event: {
      moText: [{ channel: 'sms', messageId: 'i1', from: '972501234567', to: '97237654321', content: 'Hi ש' }],
    },
  }),
};

const elks: ProviderCase = {
  secrets: { username: 'u0123', password: 'pw' },
  reads: (request) => [request.path, basic(request), formOf(request)],
  request: [
    '/a1/sms',
    'u0123:pw',
    { from: 'Shop', to: '+972501234567', message: 'Hello', whendelivered: REPORTS },
  ],
  answers: [
    [status(200, { id: 's70df59', status: 'created', parts: 1, cost: 3_500 }), ['s70df59']],
    [status(401, 'API access requires Basic HTTP authentication.'), 'down'],
    [status(403, 'Not enough credits'), 'down'],
    [status(400, 'Invalid to number'), 'Invalid to number'],
    [status(429), 'throttled'],
  ],
  reports: [
    [
      form({ id: 's70df59', status: 'delivered', delivered: '2026-11-29T10:00:00' }),
      's70df59',
      102,
      'delivered',
    ],
    [form({ id: 's70df59', status: 'failed' }), 's70df59', 101, 'failed'],
  ],
  incoming: form({
    id: 's2',
    direction: 'incoming',
    from: '+972501234567',
    to: '+97237654321',
    message: 'Hi ש',
  }),
};

const carillon: ProviderCase = {
  secrets: {
    ...{ host: 'sms.example', token: 't0ken', username: 'shop' },
    webhook: `whsec_${webhookKey.toString('base64')}`,
  },
  reads: (request) => [
    ...[request.path, request.headers.authorization, request.headers['idempotency-key']],
    jsonOf(request),
  ],
  request: [
    ...['/api', 'Bearer t0ken', '7001'],
    {
      sms: {
        user: { username: 'shop' },
        source: 'Shop',
        destinations: { phone: [{ $: { id: '7001' }, _: '+972501234567' }] },
        message: 'Hello',
        includes_international: '1',
      },
    },
  ],
  answers: [
    [status(200, { status: 0, message: 'SMS will be sent', shipment_id: 's1' }), ['7001']],
    [status(200, { status: 3, message: 'wrong token' }), 'down'],
    [status(200, { status: 4, message: 'no credit' }), 'down'],
    [status(200, { status: 9, message: 'bad destination' }), '9'],
    [status(200, { status: 6, message: 'try again' }), '6'],
    [status(429, { status: 6 }), 'throttled'],
  ],
  reports: [
    [
      json({
        type: 'message.status',
        data: { external_id: '7001', phone: '972501234567', status: 102, code: 'DELIVRD' },
      }),
      ...(['7001', 102, '102/DELIVRD'] as const),
    ],
    [
      json({ type: 'message.status', data: { external_id: '7001', status: 103, code: null } }),
      ...(['7001', 103, '103'] as const),
    ],
  ],
  incoming: json({
    type: 'sms.incoming',
    data: { source: '972501234567', destination: '97237654321', message: 'Hi ש' },
  }),
  sign: async (_url, body, now) => {
    const time = String(Math.floor(now / 1_000));
    return {
      'webhook-id': 'evt_1',
      'webhook-timestamp': time,
      'webhook-signature': `v1,${hmac(webhookKey, `evt_1.${time}.${body}`)}`,
    };
  },
};

/** The providers, by the name of their ready description. */
export const providerCases: Readonly<Record<string, ProviderCase>> = {
  ...{ twilio, vonage, infobip, sinch, bird, plivo, telnyx, clickatell, carillon },
  'africas-talking': africasTalking,
  '46elks': elks,
};
