import type { Compared } from '../support/compared.ts';
import { type ComparedServicesOptions, compareServices } from '../support/compared-services.ts';

/**
 * Measures the same messages with plain texts, with encrypted texts, and with texts that are removed after sending
 * (docs/data.md, "Texts").
 */
export function texts(options: ComparedServicesOptions): Promise<Compared[]> {
  return compareServices(options, 'texts', [
    { label: 'texts plain' },
    { label: 'texts sealed', settings: { TEXT_STORAGE: 'sealed' } },
    { label: 'texts not kept', settings: { TEXT_STORAGE: 'none' } },
  ]);
}
