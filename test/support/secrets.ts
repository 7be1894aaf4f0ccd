import { masterKeys } from '../../server/secrets/keys.ts';
import { SecretBox } from '../../server/secrets/secret-box.ts';

/** Setting SECRET_KEY of services that tests start on one database, several of them with separate folders. */
export const SECRET_KEY = Buffer.alloc(32, 'a key that everybody knows').toString('base64');

const keys = masterKeys([SECRET_KEY]);

/** Seals with that key. */
export const secrets = new SecretBox({ keys: () => keys });
