import type { Answer } from './operations.ts';

/** A message in a list. */
export type Message = Answer<'/v1/messages'>['messages'][number];

/** A message with its timeline. */
export type MessageDetail = Answer<'/v1/messages/{id}'>;

export type MessageState = Message['state'];
export type Failure = NonNullable<Message['failure']>;
/** Why a message failed, and what to do about it. */
export type FailureTexts = Pick<Failure, 'why' | 'todo'>;
export type FailureKey = Failure['key'];
export type Fault = Failure['fault'];
export type Channel = Message['channel'];
export type Step = MessageDetail['steps'][number]['step'];
