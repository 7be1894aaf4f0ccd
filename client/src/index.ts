export { Carillon } from './client.ts';
export { CarillonConnectionError, CarillonError } from './errors.ts';
export type { EventData, EventType, WebhookEvent } from './events.ts';
export type { EventFilter, LiveEvent, StreamOptions, Watched } from './live.ts';
export type {
  Answer,
  Body,
  Input,
  OperationName,
  PagedName,
  Query,
  RequestOptions,
  Row,
} from './operations.ts';
export type { Pages } from './pages.ts';
export type { MethodOptions, Resources } from './resources.ts';
export type { FileBody, Operations } from './schema.ts';
export type { ClientOptions } from './transport.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.ts';
