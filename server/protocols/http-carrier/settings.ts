import { z } from 'zod';
import { type HttpDescription, httpDescription } from './description.ts';
import { JwtTokens } from './jwt.ts';
import { namedDescription } from './named-description.ts';
import { requestsOfPolls, textsOfRequest } from './poll-settings.ts';
import { readyDescription, readyNames } from './providers.ts';
import { compileRequest, splitUrl } from './request.ts';
import { compileSigner } from './send-signature.ts';
import { usesOfJwt, usesOfSignature } from './send-signature-settings.ts';
import { type SignatureScheme, secretsOfScheme, signatureScheme } from './signature-settings.ts';
import { DescriptionError, Template, textsOfJson } from './template.ts';

/* Settings of a connector to a provider with an HTTP interface. */

const MAX_WINDOW = 1_000;
const MAX_PREFIXES = 1_000;

/** The description: an object, or the name of a ready one. */
export const carrierDescription = namedDescription(httpDescription, readyDescription, readyNames);

const network = z.string().regex(/^[0-9a-fA-F.:]{2,45}\/\d{1,3}$/, 'must be a network, like 192.0.2.0/24');

/** Settings of one connector, with their defaults. */
export const httpCarrierSettings = z
  .strictObject({
    /** Unique: the column `link` of messages and receipts, and the label `link` of metrics. */
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'takes lower-case letters, digits and dashes'),
    description: carrierDescription,
    /** Values of `{secret.…}` and of the schemes of signatures. */
    secrets: z.record(z.string(), z.string().min(1).max(4_000)).default({}),
    /**
     * Secret in the path of the provider's requests. Without it the connector has no reports and no incoming messages.
     */
    pathSecret: z
      .string()
      .regex(/^[A-Za-z0-9_-]{24,128}$/, 'takes 24 to 128 letters, digits, dashes and underscores')
      .optional(),
    /** Signature of the provider's requests, in place of that of the description. */
    signature: signatureScheme.optional(),
    /** Networks from which the provider's requests come; without them from everywhere. */
    addresses: z.array(network).max(100).optional(),
    /** Of a connector for calls: E.164 prefixes that it serves; '' matches every destination, and is the default. */
    prefixes: z
      .array(z.string().regex(/^\d{0,15}$/, 'must be digits'))
      .min(1)
      .max(MAX_PREFIXES)
      .optional(),
    /** Of a connector for calls: caller number, with or without `+`. */
    callerId: z
      .string()
      .regex(/^\+?\d{3,15}$/, 'must be digits, with or without +')
      .optional(),
    /** Maximum messages per second; 0 means no limit. */
    messagesPerSecond: z.number().min(0).default(0),
    /** Maximum number of messages without a stored outcome, and of connections. A crash can send this many twice. */
    window: z.int().min(1).max(MAX_WINDOW).default(50),
    /** Milliseconds for one request, including the wait for a free connection. */
    timeoutMs: z.int().min(100).max(600_000).default(30_000),
    /** Permits addresses of the provider in private networks. */
    allowPrivate: z.boolean().default(false),
  })
  .superRefine((settings, context) => {
    const problem = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    // A description with problems is not there.
    if (typeof settings.description !== 'object' || settings.description === null) return;
    const signature = signatureOf(settings);
    const { needed, asksOrigin } = usesOf(settings.description, signature);
    for (const name of needed)
      if (!Object.hasOwn(settings.secrets, name)) problem(['secrets', name], 'is missing');
    for (const name of Object.keys(settings.secrets))
      if (!needed.has(name)) problem(['secrets', name], 'is not used by the description');
    if (asksOrigin && settings.pathSecret === undefined)
      problem(['pathSecret'], 'is missing: the description contains {origin}');
    for (const { path, message } of callProblems(settings)) problem([path], message);
    if (signature?.scheme === 'addresses' && !settings.addresses?.length)
      problem(['addresses'], 'is missing: the description checks the addresses of requests');
    if (![...needed].every((name) => Object.hasOwn(settings.secrets, name))) return;
    checkRequests(settings.description, settings.secrets, problem);
  });

/** The requests of a description. */
export type DescribedRequests = Pick<HttpDescription, 'send'> & Partial<Pick<HttpDescription, 'poll'>>;

/** Calls `problem` for each part of the requests of a description that cannot be compiled with these secrets. */
export function checkRequests(
  description: DescribedRequests,
  secrets: Readonly<Record<string, string>>,
  problem: (path: string[], message: string) => void,
): void {
  const { auth, signature } = description.send;
  const attempt = (path: string[], compile: () => unknown) => {
    try {
      compile();
    } catch (error) {
      if (!(error instanceof DescriptionError)) throw error;
      problem(path, error.message);
    }
  };
  attempt(['description', 'send', 'url'], () => {
    compileRequest(description, secrets);
    if (auth && 'oauth' in auth) splitUrl(auth.oauth.url, secrets);
  });
  for (const { url } of requestsOfPolls(description.poll))
    attempt(['description', 'poll'], () => splitUrl(url, secrets));
  if (auth && 'jwt' in auth)
    attempt(['secrets', auth.jwt.secret], () => new JwtTokens(auth.jwt, secrets, { now: () => 0 }));
  if (signature)
    attempt(['secrets', signature.scheme === 'hmac' ? signature.secret : signature.accessKey], () =>
      compileSigner(description, secrets),
    );
}

export type HttpCarrierSettings = z.output<typeof httpCarrierSettings>;
/** Settings as configured: those with a default may be omitted. */
export type HttpCarrierInput = Omit<z.input<typeof httpCarrierSettings>, 'description'> & {
  readonly description: unknown;
};

/** Returns the settings that a connector for calls needs, or that one for SMS cannot have. */
function callProblems({
  description,
  prefixes,
  callerId,
  pathSecret,
}: Pick<HttpCarrierSettings, 'description' | 'prefixes' | 'callerId' | 'pathSecret'>) {
  const found = { prefixes, callerId };
  if (description.channel !== 'voice')
    return Object.entries(found)
      .filter(([, value]) => value !== undefined)
      .map(([path]) => ({ path, message: 'is only for calls' }));
  return [
    ...(callerId === undefined
      ? [{ path: 'callerId', message: 'is missing: calls need a caller number' }]
      : []),
    ...(pathSecret === undefined && !description.poll?.reports
      ? [{ path: 'pathSecret', message: 'is missing: only reports tell how a call ended' }]
      : []),
  ];
}

/** A connector for calls, as call routes and estimates see it. */
export interface HttpTrunk extends HttpCarrierSettings {
  readonly prefixes: string[];
  readonly callerId: string;
  readonly callsPerSecond: number;
  /** The provider queues calls, so nothing limits how many are under way. */
  readonly callsAtOnce: number;
}

/** Returns the connectors for calls as trunks. */
export const httpTrunksOf = (carriers: readonly HttpCarrierSettings[]): HttpTrunk[] =>
  carriers.filter(isForCalls).map((settings) => ({
    ...settings,
    prefixes: settings.prefixes ?? [''],
    callerId: settings.callerId!,
    callsPerSecond: settings.messagesPerSecond,
    callsAtOnce: Number.POSITIVE_INFINITY,
  }));

/** Whether a connector makes calls. */
export const isForCalls = ({ description }: Pick<HttpCarrierSettings, 'description'>): boolean =>
  description.channel === 'voice';

/** Returns the signature that the requests of the provider must have; undefined without one. */
export const signatureOf = ({
  signature,
  description,
}: Pick<HttpCarrierSettings, 'signature' | 'description'>): SignatureScheme | undefined =>
  signature ?? description.signature;

/** Path of the requests of providers. */
export const CARRIER_REQUESTS_PATH = '/carrier-requests';

/** Returns the address for requests of the provider, without a slash at the end; empty without a secret for the path. */
export const requestsOrigin = (
  { name, pathSecret }: Pick<HttpCarrierSettings, 'name' | 'pathSecret'>,
  publicUrl: string,
): string => (pathSecret === undefined ? '' : `${publicUrl}${CARRIER_REQUESTS_PATH}/${name}/${pathSecret}`);

/** Returns the secrets and placeholders of a description, and whether it tells the provider an address for reports. */
export function usesOf({ send, poll }: DescribedRequests, signature: SignatureScheme | undefined) {
  const keys = [
    ...(send.auth && 'jwt' in send.auth ? [usesOfJwt(send.auth.jwt)] : []),
    ...(send.signature ? [usesOfSignature(send.signature)] : []),
  ];
  const templates = [
    ...[send.url, ...Object.values(send.query), ...Object.values(send.headers)],
    ...textsOfBody(send.body),
    ...textsOfAuth(send.auth),
    ...keys.flatMap(({ texts }) => texts),
    ...requestsOfPolls(poll).flatMap(textsOfRequest),
  ].map((text) => new Template(text, 'plain'));
  return {
    needed: new Set([
      ...templates.flatMap(({ secrets }) => secrets),
      ...keys.flatMap(({ secrets }) => secrets),
      ...(signature ? secretsOfScheme(signature) : []),
    ]),
    names: new Set(templates.flatMap(({ names }) => names)),
    asksOrigin: templates.some(({ names }) => names.includes('origin')),
  };
}

function textsOfBody(body: HttpDescription['send']['body']): readonly string[] {
  if (!body) return [];
  if ('form' in body) return Object.values(body.form);
  return 'xml' in body ? [body.xml] : textsOfJson(body.json);
}

function textsOfAuth(auth: HttpDescription['send']['auth']): readonly string[] {
  if (!auth) return [];
  if ('basic' in auth) return auth.basic;
  if ('bearer' in auth) return [auth.bearer];
  return 'oauth' in auth ? [auth.oauth.url, auth.oauth.client, auth.oauth.secret] : [];
}
