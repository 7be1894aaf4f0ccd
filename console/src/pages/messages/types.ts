import type { paths } from '../../api/schema.ts';

/** A message in a list. */
export type Message =
  paths['/v1/messages']['get']['responses'][200]['content']['application/json']['messages'][number];

/** A message with its whole way. */
export type Story = paths['/v1/messages/{id}']['get']['responses'][200]['content']['application/json'];

export type MessageState = Message['state'];
export type Failure = NonNullable<Message['failure']>;
export type FailureKey = Failure['key'];
export type Fault = Failure['fault'];
export type Channel = Message['channel'];
export type Step = Story['steps'][number]['step'];
