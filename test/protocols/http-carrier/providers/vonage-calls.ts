import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { jsonOf } from '../support.ts';
import { json, type ProviderCase, REPORTS, status } from './case.ts';
import { vonage } from './vonage.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const application = 'aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab';
const uuid = '63f61863-4a51-4f6b-86e1-46edebcf9356';
const event = (word: string, more: object = {}) =>
  json({
    ...{ uuid, conversation_uuid: 'CON-1', from: '97237654321', to: '972501234567', direction: 'outbound' },
    ...{ status: word, timestamp: '2026-11-29T10:00:00.000Z', ...more },
  });

export const vonageCalls: ProviderCase = {
  callerId: '97237654321',
  secrets: {
    application,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signature: 'signature secret',
  },
  reads: (request) => {
    const token = String(request.headers.authorization).replace('Bearer ', '');
    const { application_id: id, jti, iat, exp } = decodeJwt(token);
    return [request.path, decodeProtectedHeader(token).alg, id, typeof jti, exp! > iat!, jsonOf(request)];
  },
  request: [
    ...['/v1/calls', 'RS256', application, 'string', true],
    {
      to: [{ type: 'phone', number: '972501234567' }],
      from: { type: 'phone', number: '97237654321' },
      ncco: [{ action: 'talk', text: 'Code four, eight, two, nine, & more', language: 'en-US', loop: 2 }],
      event_url: [REPORTS],
      event_method: 'POST',
    },
  ],
  answers: [
    [status(201, { uuid, status: 'started', direction: 'outbound', conversation_uuid: 'CON-1' }), [uuid]],
    [status(429, { title: 'Rate Limit' }), 'throttled'],
    [status(401, { title: 'Unauthorized' }), 'down'],
    [status(400, { title: 'Invalid Request', type: 'https://x.example/errors' }), 'REFUSED/Invalid Request'],
    [status(503), 'HTTP_503'],
  ],
  reports: [
    [event('ringing'), uuid, -1, 'ringing'],
    [event('answered'), uuid, -1, 'answered'],
    [event('completed', { duration: '12', price: '0.01' }), uuid, 102, 'HEARD'],
    [event('busy', { sip_code: 486 }), uuid, 101, 'BUSY/busy/486'],
    [event('unanswered'), uuid, 2, 'NO_ANSWER/unanswered'],
    [event('timeout'), uuid, 2, 'NO_ANSWER/timeout'],
    [event('rejected'), uuid, 108, 'DECLINED/rejected'],
    [event('failed', { detail: 'cannot_route' }), uuid, 6, 'REFUSED/failed/cannot_route'],
    [event('cancelled'), uuid, 6, 'REFUSED/cancelled'],
  ],
  sign: vonage.sign!,
};
