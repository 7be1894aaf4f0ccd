import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { exampleOf, requestSchema } from '../../server/api/openapi/json-schema.ts';
import { describeSmsApi, exampleRequest } from '../../server/api/sms/description.ts';
import { exampleSpan } from '../../server/api/sms/fields.ts';
import type { Operation } from '../../server/api/sms/operation.ts';
import { operations } from '../../server/api/sms/operations/index.ts';
import { done, FAULT, statusCodes } from '../../server/api/sms/status-codes.ts';
import { statusMeanings } from '../../server/api/sms/status-meanings.ts';
import { decode } from '../../server/api/sms/wire/decode.ts';
import { formatLocal } from '../../server/kit/time-zones.ts';
import { covers } from '../conformance/covers.ts';
import { type Answer, type Fields, type Form, forms, startTestService } from '../support/service.ts';
import { describedFields, fitting, hasAround, withField } from './described-fields.ts';

/*
 * What is said of the operations at /docs is what they do: the examples are sent to a service, each in both forms, as
 * they stand in the document; each field that is called required is left away, and each limit is gone over.
 */

const description = describeSmsApi(operations);
const described = new Map(operations.map((one, index) => [one.roots[0]!, description.operations[index]!]));
const byRoot = operations.map((one) => [one.roots[0]!, one] as const);

const service = await startTestService({ settings: { OTP_PER_PHONE_HOUR: '1000' } });
const exampleList = '1774337460000002';
const { fields: made } = await service.call('json', 'newCL', { cl: { name: 'Customers' } });
const [list] = made.identifiers as string[];
await service.call('json', 'addSub', {
  userDetails: { name: 'Carmel', username: 'carmel', password: 'correct horse', source: 'Shop', amount: 1 },
});
await service.call('json', 'sms', {
  source: 'Shop',
  destinations: { phone: '0501234567' },
  message: 'Hello',
  timing: '01/01/40 00:00',
  campaign_name: 'Spring',
});

/** An example as it is sent here: with the id of a list that there is, and a span that is not over a year ago. */
function present(body: string): string {
  const now = Date.now();
  return body
    .replaceAll(exampleList, list!)
    .replaceAll(exampleSpan.from, formatLocal(now - 86_400_000, 'Asia/Jerusalem'))
    .replaceAll(exampleSpan.to, formatLocal(now, 'Asia/Jerusalem'));
}

const send = (root: string, body: string): Promise<Answer> => {
  const { path } = described.get(root)!;
  return service.post(present(body), { path: path.replace('/api', '/api/test') });
};

const sendContent = (root: string, content: unknown) => send(root, JSON.stringify({ [root]: content }));

function contentOf(root: string, form: Form) {
  return described.get(root)!.about.requestBody!.content[`application/${form}`]!;
}

/** What the document says of the success of an operation. */
function success(operation: Operation): Fields {
  return exampleOf(description.schemas![`${operation.roots[0]}Answer`]!) as Fields;
}

/** At `/api/test` no code is looked at, so that the right one is refused too. */
const statusAtTest = (operation: Operation) =>
  operation.roots[0] === 'validate_otp' ? statusCodes['not-verified'] : success(operation).status;

/** Fields that may be absent, but of which the rest of the example makes one be there. */
const together = new Set([
  'sms: destinations.phone',
  'sms: links',
  'sms: links.link',
  'bulk: messages.sms.destinations',
  'bulk: messages.sms.destinations.phone',
  'cancel: campaign_name',
]);

for (const [root, operation] of byRoot) {
  describe(root, () => {
    const schema = requestSchema(operation.schema);
    const example = exampleRequest(operation);

    test('the example says the same in XML and in JSON', () => {
      const xml = decode(Buffer.from(contentOf(root, 'xml').example as string));
      const json = decode(Buffer.from(JSON.stringify(contentOf(root, 'json').example)));
      assert.equal(xml.root, json.root);
      const read = ({ content }: typeof xml) => operation.schema.parse(content);
      assert.deepEqual(read(xml), read(json));
    });

    test('the example fits the description', () => {
      z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema).parse(example);
    });

    for (const form of forms) {
      test(`the example is accepted in ${form}, and answered with the fields that are described`, async () => {
        const { example: body } = contentOf(root, form);
        const answer = await send(root, form === 'json' ? JSON.stringify(body) : (body as string));
        assert.equal(answer.status, statusAtTest(operation), answer.message);
        assert.equal(answer.root, form === 'xml' ? root : undefined);
        if (answer.status !== success(operation).status) return;
        const fields = Object.keys(operation.answer.shape);
        assert.deepEqual(
          Object.keys(answer.fields).filter((name) => !fields.includes(name)),
          [],
        );
        if (form === 'json') strictly(operation.answer).parse(answer.fields);
      });
    }

    test('what fits the description fits the schema that validates', () => {
      fc.assert(
        fc.property(fitting(schema), (content) => {
          const body = JSON.stringify({ [root]: content });
          operation.schema.parse(decode(Buffer.from(body)).content);
        }),
        { numRuns: 50 },
      );
    });

    test('every field is described', () => {
      const answer = describedFields(description.schemas![`${root}Answer`]!);
      for (const { path, schema: field } of [...describedFields(schema), ...answer]) {
        const inside = field.properties ?? (field.items as typeof schema | undefined)?.properties;
        assert.ok(field.description || inside, path.join('.'));
      }
    });

    const around = describedFields(schema).filter(({ path }) => hasAround(example, path));
    test('without a required field it is refused', async () => {
      const asked = around.filter(({ required }) => required);
      await allRefused(
        operation,
        asked.map(({ path }) => [path, undefined]),
      );
    });

    test('without a field that is not required it is accepted', async () => {
      for (const { path, required } of around) {
        if (required || together.has(`${root}: ${path.join('.')}`)) continue;
        const answer = await sendContent(root, withField(example, path, undefined));
        assert.equal(answer.status, statusAtTest(operation), `${path.join('.')}: ${answer.message}`);
      }
    });

    test('beyond a limit it is refused', async () => {
      await allRefused(
        operation,
        around.flatMap(({ path, schema: field }) => beyond(field).map((value) => [path, value])),
      );
    });
  });
}

test('every status has its meaning', covers('docs.statuses'), () => {
  const all = new Set([...Object.values(statusCodes), ...Object.values(done), FAULT]);
  assert.deepEqual([...statusMeanings.keys()].sort(), [...all].sort());
});

/**
 * Sends the example with each of these fields changed. Each must be refused, by a status that is documented for the
 * operation or, where it is a row, by a line in `errors`.
 */
async function allRefused(operation: Operation, changes: readonly (readonly [readonly string[], unknown])[]) {
  const root = operation.roots[0]!;
  const example = exampleRequest(operation);
  const errorsOf = ({ fields }: Answer) => (fields.errors ?? []) as string[];
  const unchanged = await sendContent(root, example);
  const { outcomes } = described.get(root)!.about;
  for (const [path, value] of changes) {
    const answer = await sendContent(root, withField(example, path, value));
    const what = `${path.join('.')} = ${JSON.stringify(value)?.slice(0, 50)}: ${answer.status} ${answer.message}`;
    assert.ok(
      outcomes.some(({ code }) => Number(code) === answer.status),
      `not documented, ${what}`,
    );
    const isNew = (error: string) => !errorsOf(unchanged).includes(error);
    assert.ok(answer.status !== unchanged.status || errorsOf(answer).some(isNew), `accepted, ${what}`);
  }
}

/** An answer's schema that takes no other fields. */
function strictly(schema: z.ZodObject): z.ZodType {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(schema.shape).map(([name, field]) => {
        const row = field instanceof z.ZodArray ? field.element : undefined;
        return [name, row instanceof z.ZodObject ? z.array(z.strictObject(row.shape)) : field];
      }),
    ),
  );
}

/** Values just beyond the limits of a field. */
function beyond({ minimum, maximum, minLength = 0, maxLength, maxItems, enum: values, ...field }: Limits) {
  const found: unknown[] = [];
  if (minimum !== undefined) found.push(minimum - 1);
  if (maximum !== undefined) found.push(maximum + 1);
  if (minLength > 1) found.push('a'.repeat(minLength - 1));
  if (maxLength !== undefined) found.push('a'.repeat(maxLength + 1));
  if (values || field.pattern) found.push('something else');
  if (field.type === 'integer') found.push('a word', 1.5);
  // 100,000 phones are a body of their own size; the smaller limits stand for them.
  if (maxItems !== undefined && maxItems <= 2_500) found.push(Array(maxItems + 1).fill(''));
  return found;
}

type Limits = ReturnType<typeof describedFields>[number]['schema'];
