import type { Answer } from '../../api/operations.ts';
import { entriesOf } from '../../components/form.tsx';
import type { Tone } from '../../components/values.tsx';
import type { Language } from '../../i18n/languages.ts';

export const CONNECTORS = '/v1/operator/connectors';
export const ROUTES = '/v1/operator/routes';
export type Connector = Answer<typeof CONNECTORS>['connectors'][number];
export type CarrierRoute = Answer<typeof ROUTES>['routes'][number];

/** Digits after the point of a price; carriers charge thousandths for a part. */
const PRICE_DIGITS = 6;

/** Returns the title of a route, or its name without a title. */
export const labelOf = ({ title, name }: Pick<CarrierRoute, 'title' | 'name'>) => title || name;

/** Formats the price of a part. */
export const priceText = (price: number, language: Language) =>
  price.toLocaleString(language, { maximumFractionDigits: PRICE_DIGITS });

/** Kinds of messages that a route may take. */
export const messageKinds = ['code', 'transactional', 'marketing'] as const;

/** Returns the prefixes of an input: an empty one matches every number. */
export function prefixesIn(text: string): string[] {
  const given = entriesOf(text).map((prefix) => prefix.replace(/^\+/, ''));
  return given.length === 0 ? [''] : given;
}

export type ConnectorState = 'up' | 'down' | 'free';
export const connectorTones: Readonly<Record<ConnectorState, Tone>> = {
  up: 'good',
  down: 'bad',
  free: 'warning',
};
