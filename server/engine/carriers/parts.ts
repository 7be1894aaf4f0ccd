import type { Query, Queryable, Row } from '../../database/connection.ts';

/*
 * A connector with several sessions, or a trunk with several calls, is divided among the processes of a group. The first part has the
 * name of the connector in the table `links`, also when it is the whole; the others have the name, the mark and their index.
 */

const PART_MARK = '#';

/** The part of a connector that one process holds: one of `count`, from 0. */
export interface ConnectorPart {
  readonly index: number;
  readonly count: number;
}

/** All of a connector. */
export const wholeConnector: ConnectorPart = { index: 0, count: 1 };

/** Returns how much of a number this part has; all parts together have the number. */
export const shareOf = (total: number, { index, count }: ConnectorPart): number =>
  Math.floor(total / count) + (index < total % count ? 1 : 0);

/** Name of a part in `links`. No connector has the mark in its name. */
export const partName = (connector: string, index: number): string =>
  index === 0 ? connector : `${connector}${PART_MARK}${index}`;

/** Returns the name of the connector of a row of `links`. */
export const connectorOfPart = (name: string): string => name.split(PART_MARK, 1)[0]!;

/** As `connectorOfPart`, for the column `name` of `links`. */
export const connectorColumn = (sql: Queryable): Query<Row[]> => sql`split_part(name, ${PART_MARK}, 1)`;
