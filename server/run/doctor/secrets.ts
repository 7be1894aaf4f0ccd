import { readDemoState } from '../../sandbox/demo-credentials.ts';
import { countSealed } from '../../secrets/reseal.ts';
import { type Check, type Finding, fail, ok, warn } from './check.ts';

/** Where the key is, and whether all is encrypted with the newest. */
export const secretsCheck: Check = {
  name: 'secrets',
  title: 'Secrets',
  about:
    'Store `SECRET_KEY`, or a copy of the file `secret.key`, apart from the backups of the database. Without the key, tokens of the chat platform, webhook secrets and second factors are lost.',
  async run({ appContext: { database, secretKeys, config, textStorage } }) {
    const findings: Finding[] = [];
    const { file, source } = secretKeys;
    if (file) {
      if (!database.embedded) {
        const found = `the key is in ${file.path}, and the database is elsewhere`;
        findings.push(
          warn(
            found,
            'Give every process the same SECRET_KEY: one without the file cannot read the secrets.',
          ),
        );
      } else {
        findings.push(
          warn(
            `the key is in ${file.path}, in the same folder as the database`,
            'Keep a copy apart from the backups of this folder, or set SECRET_KEY: whoever has both can read everything.',
          ),
        );
        if (textStorage.isUsed) {
          findings.push(
            warn(
              'texts of messages are encrypted, and their key is in the same folder',
              'Set SECRET_KEY to the key of the file, and delete the file: otherwise only backups without it are protected.',
            ),
          );
        }
      }
    } else {
      const from = config.settingFiles.SECRET_KEY;
      findings.push(
        ok(from === undefined ? 'the key is in SECRET_KEY' : `the key is in ${from} (SECRET_KEY_FILE)`),
      );
    }
    const others = Object.entries(config.settingFiles).filter(([name]) => name !== 'SECRET_KEY');
    if (others.length > 0) {
      const named = others.map(([name, path]) => `${name} (${path})`).join(', ');
      findings.push(ok(`settings from files: ${named}`));
    }
    const newest = source.keys()[0]!.id;
    const left = (await countSealed(database.sql, database.tables.sealedColumns)).filter(
      ({ keyId }) => keyId !== newest,
    );
    const count = left.reduce((sum, row) => sum + row.count, 0);
    if (count > 0) {
      const found = `${count} secrets are encrypted with an earlier key`;
      findings.push(warn(found, 'Run `carillon secrets rotate`.'));
    } else if (config.SECRET_KEY_PREVIOUS) {
      const found = 'SECRET_KEY_PREVIOUS is set, and nothing needs it';
      findings.push(warn(found, 'Remove it; keep the old key for as long as you keep older backups.'));
    } else findings.push(ok('every secret is encrypted with the newest key'));
    return findings;
  },
};

/** Whether what the sandbox printed still opens anything. */
export const sandboxCheck: Check = {
  name: 'sandbox',
  title: 'Sandbox leftovers',
  about:
    'Start production with a new folder or database, or revoke the credentials of the sandbox with `carillon sandbox retire`.',
  async run({ appContext: { database, config } }) {
    const state = await readDemoState(database.sql);
    if (config.SANDBOX === 'on') {
      return [
        fail(
          'SANDBOX is on',
          'Set SANDBOX to off: simulated phones receive the messages meant for carriers.',
        ),
      ];
    }
    if (state === 'active') {
      const found = 'the demo account of the sandbox, its token and password still work';
      return [fail(found, 'Run `carillon sandbox retire`.')];
    }
    return [ok(state === 'retired' ? 'the sandbox is retired' : 'this database never had a sandbox')];
  },
};
