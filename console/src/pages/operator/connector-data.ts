import type { Answer } from '../../api/operations.ts';

export const CONNECTORS = '/v1/operator/connectors';
export const ROUTES = '/v1/operator/routes';
export type Connector = Answer<typeof CONNECTORS>['connectors'][number];
export type CarrierRoute = Answer<typeof ROUTES>['routes'][number];
