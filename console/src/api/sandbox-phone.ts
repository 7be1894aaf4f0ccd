import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { askJson } from './client.ts';
import { useLive } from './live.ts';

/* The sandbox's phones (docs/sandbox.md), which the description of /v1 does not have. */

interface ReceivedSms {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  readonly at: string;
}

interface SentSms {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  readonly at: string;
}

export type ChatButton =
  | { readonly type: 'reply'; readonly id: string; readonly text: string }
  | { readonly type: 'url'; readonly text: string; readonly url: string }
  | { readonly type: 'call'; readonly text: string; readonly number: string }
  | { readonly type: 'copy'; readonly text: string; readonly code: string };

export type ChatHeader =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'video' | 'document'; readonly link: string };

export interface ChatCard {
  readonly header: ChatHeader;
  readonly body: string;
  readonly buttons: readonly ChatButton[];
}

/** A file of a chat message. */
export interface ChatMedia {
  readonly type: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  readonly url: string;
  /** Empty without a file name. */
  readonly fileName: string;
  readonly voice: boolean;
}

/** Visible content of a chat message, also of the preview of a template. */
export interface ChatContent {
  /** Previews have no media. */
  readonly media?: ChatMedia | null;
  readonly header: ChatHeader | null;
  readonly body: string;
  readonly footer: string;
  readonly buttons: readonly ChatButton[];
  readonly cards: readonly ChatCard[];
}

export interface ReceivedChat extends ChatContent {
  readonly id: string;
  readonly from: string;
  readonly replyTo: string | null;
  readonly at: string;
}

interface SentChat {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  readonly media: ChatMedia | null;
  readonly location: { readonly latitude: number; readonly longitude: number; readonly name: string } | null;
  readonly replyTo: string | null;
  readonly at: string;
}

/** A call that the phone answered. */
export interface ReceivedCall {
  readonly id: string;
  readonly from: string;
  /** Text of the call as submitted, before speech synthesis. */
  readonly text: string;
  readonly seconds: number;
  /** Party that hung up; the phone is the callee. */
  readonly ended: 'caller' | 'callee';
  /** Address of the recording, a WAV file. */
  readonly audio: string;
  readonly at: string;
}

/** A simulated phone with the messages and calls that it received and sent, oldest first. */
export interface SandboxPhone {
  /** Formatted for display. */
  readonly number: string;
  readonly received: {
    readonly sms: readonly ReceivedSms[];
    readonly chat: readonly ReceivedChat[];
    readonly calls: readonly ReceivedCall[];
  };
  readonly sent: { readonly sms: readonly SentSms[]; readonly chat: readonly SentChat[] };
}

/** Something that a phone or mailbox of the sandbox received. */
export interface Arrival {
  /** Counts up. */
  readonly seq: number;
  readonly id: string;
  readonly kind: 'sms' | 'chat' | 'call' | 'mail';
  /** The number of the phone, or the address of the mailbox. */
  readonly to: string;
  readonly from: string;
  /** Only emails have a subject. */
  readonly subject: string | null;
  readonly text: string;
  readonly at: string;
}

const ARRIVALS = 100;
const REFETCH_MS = 2_000;

/** The latest of everything that the phones and mailboxes received, the newest first, as it arrives; '' is no filter. */
export function useArrivals(filters: { readonly kind: string; readonly search: string }) {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  const query = new URLSearchParams([...given, ['limit', String(ARRIVALS)]]);
  return useQuery({
    queryKey: ['sandbox-arrivals', filters],
    queryFn: () => askJson<{ readonly arrivals: readonly Arrival[] }>('GET', `/v1/sandbox/arrivals?${query}`),
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  });
}

const pathOf = (number: string) => `/v1/sandbox/phones/${encodeURIComponent(number)}`;
const keyOf = (number: string) => ['sandbox-phone', number] as const;

/** A sandbox phone with its messages and calls, updated as they arrive. */
export function useSandboxPhone(number: string) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: keyOf(number),
    queryFn: () => askJson<SandboxPhone>('GET', `/v1/sandbox/handsets/${encodeURIComponent(number)}`),
    // The live stream refreshes the phone immediately; this interval covers a stream that a proxy delays.
    refetchInterval: 15_000,
  });
  useLive({ phones: number }, { phone: () => void refresh(queryClient, number) });
  return query;
}

async function refresh(queryClient: QueryClient, number: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keyOf(number) });
}

/** A file that a phone sends. */
export interface FileToSend {
  readonly type: ChatMedia['type'];
  readonly content: Blob;
  readonly name: string;
  /** Recorded in the chat. */
  readonly voice: boolean;
}

/** Actions of a phone: pressing its buttons and sending from it. */
export function usePhoneActions(number: string) {
  const queryClient = useQueryClient();
  async function act<T>(path: string, body: object): Promise<T> {
    const answer = await askJson<T>('POST', `${pathOf(number)}/${path}`, body);
    await refresh(queryClient, number);
    return answer;
  }
  return {
    sendSms: (to: string, text: string) => act<{ id: string }>('sms', { to, text }),
    sendChat: (to: string, body: string) => act<{ id: string }>('chat', { to, body }),
    sendLocation: (to: string, location: { latitude: number; longitude: number }) =>
      act<{ id: string }>('chat', { to, location }),
    sendFile(to: string, file: FileToSend) {
      const { type, content, name, voice } = file;
      // The recorder's media type includes codec parameters, which are not part of the MIME type.
      const mimeType = content.type.split(';')[0] || 'application/octet-stream';
      const query = new URLSearchParams({
        to,
        type,
        mime_type: mimeType,
        file_name: name,
        voice: String(voice),
      });
      return act<{ id: string }>(`files?${query}`, content);
    },
    /** `status` is the answer in SIP's numbers. */
    call: (to: string) => act<{ status: number }>('call', { to }),
    /** `opened` is what a button leads to that sends nothing. */
    press: (to: string, message: string, button: string) =>
      act<{ id?: string; opened?: string }>('chat', { to, message, button }),
  };
}

/** A number of the sandbox that goes by another ending than its own. */
interface ChosenEnding {
  readonly number: string;
  readonly ending: string;
}

const ENDINGS = '/v1/sandbox/endings';
const endingsKey = ['sandbox-endings'] as const;

/** Numbers that go by another ending than their own, and what chooses one; null is its own. */
export function useEndings() {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: endingsKey,
    queryFn: () => askJson<{ readonly endings: readonly ChosenEnding[] }>('GET', ENDINGS),
  });
  async function choose(number: string, ending: string | null): Promise<void> {
    await askJson('POST', ENDINGS, { number, ending });
    await queryClient.invalidateQueries({ queryKey: endingsKey });
  }
  return { query, choose };
}
