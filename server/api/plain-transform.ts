import { z } from 'zod';

/* Transforms that add their problems to `issues`. zod's own also create a function `addIssue` for each value. */

type Payload = z.core.ParsePayload;

// A separate zod type, so that `describe` and `meta` of a transform return one again.
const PlainTransform = z.core.$constructor<z.ZodTransform<unknown, unknown>, z.core.$ZodTransformDef>(
  'PlainTransform',
  (transform, def) => {
    z.ZodTransform.init(transform, def);
    transform._zod.parse = (payload) => {
      payload.value = def.transform(payload.value, payload);
      return payload;
    };
  },
);

/** Returns a schema with the result of `read`, which is synchronous and reports problems in `payload.issues`. */
export function plainTransform<T>(read: (value: unknown, payload: Payload) => T): z.ZodTransform<T, unknown> {
  return new PlainTransform({ type: 'transform', transform: read }) as z.ZodTransform<T, unknown>;
}

/** As `z.preprocess`, with a plain transform. */
export function plainPreprocess<S extends z.ZodType>(
  prepare: (value: unknown) => unknown,
  schema: S,
): z.ZodPreprocess<S> {
  return new z.ZodPreprocess({
    type: 'pipe',
    in: plainTransform(prepare),
    out: schema,
  }) as unknown as z.ZodPreprocess<S>;
}
