import { readFileSync } from 'node:fs';

const folder = new URL('./certificates/', import.meta.url);
const pem = (name: string): string => readFileSync(new URL(`test-only-${name}.pem`, folder), 'utf8');

/** The file of the authority that has signed all but the self-signed one; its key is not kept. */
export const AUTHORITY_FILE = new URL('test-only-ca.pem', folder).pathname;

/** `self-signed` and the others for `localhost`, but `other-name` for other.example; valid to 2120 but by their names. */
export type CertificateName = 'valid' | 'self-signed' | 'expired' | 'not-yet' | 'other-name';

/** A certificate with its key, for TLS servers of tests. */
export const certificate = (name: CertificateName) => ({ key: pem(name), cert: pem(name) });
