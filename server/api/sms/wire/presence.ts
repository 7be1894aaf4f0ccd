import { show } from '../../openapi/shown.ts';
import { plainTransform } from '../../plain-transform.ts';
import { textInput } from './fields.ts';
import { only } from './only.ts';

/** Blocks for fields whose presence or repetition matters. */
export const given = {
  /** Whether any value is present. */
  anything: show(
    plainTransform<boolean>((given) => {
      const value = only(given);
      return value !== undefined && value !== null && value !== '';
    }),
    { as: () => ({}) },
  ),
  /** As `textInput`; the word `several` if it is repeated. */
  orSeveral: show(
    plainTransform<string | undefined>((value, context) => {
      if (Array.isArray(value) && value.length > 1) return 'several';
      const read = textInput.safeParse(Array.isArray(value) ? value[0] : value);
      if (read.success) return read.data;
      context.issues.push({
        code: 'custom',
        message: read.error.issues[0]!.message,
        input: undefined,
        path: [],
      });
      return undefined;
    }),
    { as: () => ({ type: 'string', minLength: 1 }), required: true },
  ),
};
