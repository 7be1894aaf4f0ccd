import { formOf } from '../support.ts';
import { form, type ProviderCase, status } from './case.ts';

const africasAnswer = (statusCode: number, word: string) =>
  status(201, {
    SMSMessageData: {
      Message: 'Sent to 1/1 Total Cost: KES 0.8000',
      Recipients: [
        { statusCode, number: '+972501234567', status: word, cost: 'KES 0.8000', messageId: 'ATXid_1' },
      ],
    },
  });
export const africasTalking: ProviderCase = {
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
