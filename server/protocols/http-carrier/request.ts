import type { HttpDescription } from './description.ts';
import { pointerSteps } from './locator.ts';
import {
  DescriptionError,
  formText,
  type JsonTemplate,
  Template,
  type TemplatePlace,
  type TemplateValues,
} from './template.ts';
import { secretValues } from './values.ts';

/** A request to a provider. */
export interface CarrierRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'POST' | 'GET';
  /** Names and values, alternating. */
  readonly headers: readonly string[];
  readonly body: string | null;
}

/**
 * Returns the request that sends one message, or several if the description has a batch. `authorization` is that of a token, if it
 * has OAuth or a JWT.
 */
export type RequestWriter = (messages: readonly TemplateValues[], authorization?: string) => CarrierRequest;

/** A request of a description: one that sends messages, or a poll. */
type RequestDescription = Pick<HttpDescription['send'], 'method' | 'url' | 'query' | 'headers' | 'body'> &
  Partial<Pick<HttpDescription['send'], 'auth' | 'batch'>>;

type Fields = readonly (readonly [name: string, value: Template])[];

/**
 * Compiles the request of a description.
 *
 * @throws DescriptionError for an invalid address
 */
export function compileRequest(
  { send }: { readonly send: RequestDescription },
  secrets: Readonly<Record<string, string>>,
): RequestWriter {
  const { origin, path } = splitUrl(send.url, secrets);
  const query = fieldsOf(send.query, 'query');
  const headers = fieldsOf(send.headers, 'header');
  const writeBody = compileBody(send.body, send.batch && pointerSteps(send.batch.list));
  // Some interfaces have their own type of JSON.
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const writeAuthorization = compileAuthorization(send.auth);
  return (messages, given) => {
    // Outside the list of a batch, nothing depends on a message.
    const values = messages[0]!;
    const authorization = given ?? writeAuthorization(values);
    const search = writeFields(query, values);
    const address = path.render(values);
    const body = writeBody(messages);
    return {
      origin,
      method: send.method,
      path: search === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${search}`,
      headers: [
        ...headers.flatMap(([name, value]) => (value.isEmpty(values) ? [] : [name, value.render(values)])),
        ...(authorization === undefined ? [] : ['authorization', authorization]),
        ...(body && !hasType ? ['content-type', body.type] : []),
      ],
      body: body?.content ?? null,
    };
  };
}

/**
 * Splits an address into its origin and its path. The origin may contain secrets, like the host of an account.
 *
 * @throws DescriptionError when the origin contains a value of a message or is no origin
 */
export function splitUrl(
  url: string,
  secrets: Readonly<Record<string, string>>,
): { readonly origin: string; readonly path: Template } {
  const scheme = ['https://', 'http://'].find((one) => url.startsWith(one));
  if (!scheme || url.includes('#'))
    throw new DescriptionError('must be an address like https://api.example.com/messages');
  const length = url.slice(scheme.length).search(/[/?]/);
  const end = length === -1 ? url.length : scheme.length + length;
  const host = new Template(url.slice(0, end), 'plain');
  if (host.names.length > 0)
    throw new DescriptionError('the host may contain secrets, but nothing of a message');
  const origin = host.render(secretValues(secrets));
  // Refuses a secret that contains a path or a user name in place of a host.
  const parsed = URL.canParse(origin) ? new URL(origin) : undefined;
  if (
    parsed?.pathname !== '/' ||
    parsed.search !== '' ||
    parsed.username !== '' ||
    /[/?#@\s]/.test(origin.slice(8))
  )
    throw new DescriptionError('its host is not valid');
  return { origin: parsed.origin, path: new Template(url.slice(end) || '/', 'path') };
}

const fieldsOf = (given: Readonly<Record<string, string>>, place: TemplatePlace): Fields =>
  Object.entries(given).map(([name, value]) => [name, new Template(value, place)]);

const writeFields = (fields: Fields, values: TemplateValues): string =>
  fields
    .filter(([, value]) => !value.isEmpty(values))
    .map(([name, value]) => `${formText(name)}=${value.render(values)}`)
    .join('&');

type WrittenBody = { readonly type: string; readonly content: string } | undefined;

function compileBody(
  body: HttpDescription['send']['body'],
  list: readonly string[] | undefined,
): (messages: readonly TemplateValues[]) => WrittenBody {
  if (!body) return () => undefined;
  if ('form' in body) {
    const fields = fieldsOf(body.form, 'form');
    return ([values]) => ({
      type: 'application/x-www-form-urlencoded',
      content: writeFields(fields, values!),
    });
  }
  if ('xml' in body) {
    const document = new Template(body.xml, 'xml');
    return ([values]) => ({ type: 'application/xml; charset=utf-8', content: document.render(values!) });
  }
  const write = compileJson(body.json, list);
  return (messages) => ({ type: 'application/json', content: JSON.stringify(write(messages)) });
}

const OMITTED = Symbol('omitted');

/**
 * Compiles a JSON value; members whose placeholders are all empty are omitted. `list` leads to the list whose only element is written
 * for each message.
 */
function compileJson(
  value: JsonTemplate,
  list?: readonly string[],
): (messages: readonly TemplateValues[]) => unknown {
  if (typeof value === 'string') {
    const template = new Template(value, 'json');
    return ([first]) => {
      const values = first!;
      if (template.isEmpty(values)) return OMITTED;
      const text = template.render(values);
      if (template.isList) return text.split(',');
      return template.isNumeric ? Number(text) : text;
    };
  }
  if (typeof value !== 'object' || value === null) return () => value;
  const innerOf = (name: string) => (list?.[0] === name ? list.slice(1) : undefined);
  if (Array.isArray(value)) {
    const items = (value as readonly JsonTemplate[]).map((inner, at) =>
      compileJson(inner, innerOf(String(at))),
    );
    if (list?.length === 0) return (messages) => messages.map((one) => items[0]!([one]));
    return (messages) => items.map((write) => write(messages)).filter((one) => one !== OMITTED);
  }
  const members = Object.entries(value as Readonly<Record<string, JsonTemplate>>).map(
    ([name, inner]) => [name, compileJson(inner, innerOf(name))] as const,
  );
  return (messages) =>
    Object.fromEntries(
      members.map(([name, write]) => [name, write(messages)] as const).filter(([, one]) => one !== OMITTED),
    );
}

function compileAuthorization(
  auth: HttpDescription['send']['auth'],
): (values: TemplateValues) => string | undefined {
  if (auth && 'basic' in auth) {
    const [user, password] = auth.basic.map((one) => new Template(one, 'plain'));
    return (values) => basicAuthorization(user!.render(values), password!.render(values));
  }
  if (auth && 'bearer' in auth) {
    const token = new Template(auth.bearer, 'header');
    return (values) => `Bearer ${token.render(values)}`;
  }
  return () => undefined;
}

/** Returns the header of Basic authentication (RFC 7617). */
export const basicAuthorization = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
