/**
 * How the id in a receipt relates to the one in submit_sm_resp. The name says how to convert the receipt's: some SMSCs
 * answer in hexadecimal and report in decimal, or the other way round.
 */
export type IdForm = 'same' | 'hex-to-decimal' | 'decimal-to-hex';

interface IdCandidate {
  readonly form: IdForm;
  /** Compare with `normaliseId` of the id in submit_sm_resp. */
  readonly key: string;
}

/** Ids with more digits than 64 bits (UUIDs, digests) are not numbers and are never converted. */
const maxHexDigits = 16;
const maxDecimalDigits = 20;

/**
 * Returns the id in lower case, without surrounding white space and leading zeros: the form in which ids are stored.
 */
export function normaliseId(id: string): string {
  const trimmed = id.trim();
  let zeros = 0;
  while (zeros < trimmed.length - 1 && trimmed.charCodeAt(zeros) === 0x30) zeros++;
  return (zeros === 0 ? trimmed : trimmed.slice(zeros)).toLowerCase();
}

/**
 * Returns the distinct keys under which the message of a receipt may be found, the likeliest first: `known` (the form
 * that matched before on this connector), then the id as it is, then converted.
 */
export function receiptIdCandidates(id: string, known: IdForm = 'same'): IdCandidate[] {
  const normal = normaliseId(id);
  const candidates: IdCandidate[] = [];
  const add = (form: IdForm) => {
    const key = convert(normal, form);
    if (key !== null && !candidates.some((candidate) => candidate.key === key))
      candidates.push({ form, key });
  };
  add(known);
  if (known !== 'same') add('same');
  if (known !== 'hex-to-decimal') add('hex-to-decimal');
  if (known !== 'decimal-to-hex') add('decimal-to-hex');
  return candidates;
}

/** Returns the key of a normalized id in one form; null when it cannot have that form. */
function convert(id: string, form: IdForm): string | null {
  switch (form) {
    case 'same':
      return id;
    case 'hex-to-decimal':
      if (id.length > maxHexDigits || !/^[0-9a-f]+$/.test(id)) return null;
      // 13 hexadecimal digits are 52 bits: exact as a number.
      return id.length <= 13 ? Number.parseInt(id, 16).toString() : BigInt(`0x${id}`).toString();
    case 'decimal-to-hex':
      if (id.length > maxDecimalDigits || !/^[0-9]+$/.test(id)) return null;
      return id.length <= 15 ? Number(id).toString(16) : BigInt(id).toString(16);
  }
}
