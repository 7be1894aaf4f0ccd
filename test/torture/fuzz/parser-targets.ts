import { decode } from '../../../server/api/sms/wire/decode.ts';
import { WireError } from '../../../server/api/sms/wire/wire-error.ts';
import { CsvReader, NotCsv } from '../../../server/modules/audience/csv-reader.ts';
import { good } from '../../api/sms/good-requests.ts';
import { write } from '../../support/service.ts';
import { breakBytes, breakValue, type Chance, pick } from './mutate.ts';
import type { Input, Target } from './target.ts';

/* Parsers that need no connection: the decoder of `POST /api` and the reader of CSV files. */

const octetsOf = ({ octets }: Input) => Buffer.from(String(octets), 'base64');

export const decoderTarget: Target = {
  name: 'decoder',
  atOnce: 1,
  next(chance) {
    const root = pick(chance, Object.keys(good));
    const content = chance() < 0.5 ? good[root]!() : breakValue(chance, good[root]!());
    const whole = Buffer.from(
      write(chance() < 0.5 ? 'xml' : 'json', root, content as Record<string, unknown>),
    );
    return { octets: breakBytes(chance, whole).toString('base64') };
  },
  async bring(input) {
    try {
      const { root, content } = decode(octetsOf(input));
      return typeof root === 'string' && typeof content === 'object' ? undefined : 'neither refused nor read';
    } catch (error) {
      return error instanceof WireError ? undefined : String((error as Error).stack);
    }
  },
  close: async () => {},
};

const file = Buffer.from(
  'phone,first name,town\r\n0501234567,Dana,"Haifa, ""north"""\r\n972521234567,נועה,\r\n"0541234567",x\ty,z\r\n',
);

export const csvTarget: Target = {
  name: 'csv',
  atOnce: 1,
  next(chance: Chance) {
    return {
      octets: breakBytes(chance, file).toString('base64'),
      piece: 1 + Math.floor(chance() * 80),
      separator: pick(chance, [',', ';', '\t']),
    };
  },
  /** A file read in one piece and in several pieces must give the same rows. */
  async bring(input) {
    const octets = octetsOf(input);
    const whole = await readCsv(octets, octets.length || 1, String(input.separator));
    const pieces = await readCsv(octets, Number(input.piece), String(input.separator));
    return whole === pieces
      ? undefined
      : `in pieces of ${input.piece} it is read differently: ${whole} ${pieces}`;
  },
  close: async () => {},
};

async function readCsv(octets: Buffer, piece: number, separator: string): Promise<string> {
  const reader = new CsvReader({ separator: separator as ',', position: 0, line: 1 });
  const rows: unknown[] = [];
  try {
    for (let at = 0; at < octets.length; at += piece)
      rows.push(...(await reader.push(octets.subarray(at, at + piece))));
    rows.push(...(await reader.end()));
  } catch (error) {
    if (!(error instanceof NotCsv)) throw error;
    return 'no CSV';
  }
  return JSON.stringify(rows);
}
