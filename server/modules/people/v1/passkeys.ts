import { z } from 'zod';
import {
  ownChanges,
  ownReads,
  proven,
  provenByBody,
  sendsNothing,
  setUpChanges,
  setUpReads,
  withoutProof,
} from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { setSessionCookie } from '../../../api/v1/caller.ts';
import { found, idOf, notFound, rowsAnswer } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { PeopleModule } from '../open.ts';
import { passkeySiteOf } from '../passkey-site.ts';
import { newCredential, passkeyName, passkeyOptions, readNewCredential } from './passkey-fields.ts';
import { originOf, ownPassword, recoveryCodes } from './session-fields.ts';

const passkeyAnswer = z.object({
  id: out.id('Id of the passkey.', '1774337460000071'),
  name: out.text('Name of the passkey.', 'My laptop'),
  created_at: out.time('Time of creation'),
  used_at: out.maybeTime('Time of the last use'),
  synced: out.flag('Whether it is synchronized over several devices, as by a password manager.', true),
});
const show = serializer(passkeyAnswer);
const addedAnswer = z.object({ passkey: passkeyAnswer, recovery_codes: recoveryCodes });
const optionsAnswer = z.object({ options: passkeyOptions });
const passwordBody = z.object({ password: ownPassword });
const newBody = z.object({ name: passkeyName, credential: newCredential });
const nameBody = z.object({ name: passkeyName });

interface PasskeyDeps extends Pick<CoreContext, 'pageBase' | 'sql'> {
  readonly people: PeopleModule;
}

const route = resource<PasskeyDeps>('people');

/** Passkeys of the calling person. */
export const passkeyRoutes = [
  route('GET /v1/session/passkeys', {
    access: ownReads,
    operationId: 'listPasskeys',
    title: 'List passkeys',
    description: 'Lists your own passkeys, oldest first.',
    answer: rowsAnswer('passkeys', passkeyAnswer),
    handler: async ({ session }, { people: { passkeys } }) => ({
      passkeys: (await passkeys.list(session.person.id)).map(show),
    }),
  }),
  route('POST /v1/session/passkeys/options', {
    access: sendsNothing(provenByBody(setUpReads)),
    operationId: 'proposePasskey',
    title: 'Begin to add a passkey',
    description:
      'Returns the options with which the browser creates a passkey (WebAuthn). The passkey is bound to the host of PUBLIC_URL. Add it with `POST /v1/session/passkeys`.',
    refusals: ['wrong-password', 'proof-needed', 'not-now'],
    body: passwordBody,
    isBodyOptional: true,
    answer: optionsAnswer,
    handler: async ({ session, body, request }, { people, pageBase }) => ({
      options: {
        ...(await people.credentials.proposePasskey(
          session,
          body.password,
          passkeySiteOf(pageBase()),
          originOf(request),
        )),
      },
    }),
  }),
  route('POST /v1/session/passkeys', {
    access: sendsNothing(proven(setUpChanges)),
    operationId: 'addPasskey',
    title: 'Add a passkey',
    description:
      'Adds the passkey. It signs in without a password, and is a second factor after a password. All sessions end; the current one continues with a new cookie.',
    refusals: ['wrong-code', 'not-now'],
    body: newBody,
    answer: addedAnswer,
    handler: async ({ session, body: { name, credential }, note, request, reply }, { people, pageBase }) => {
      const added = await people.credentials.addPasskey(
        session,
        { name, credential: readNewCredential(credential) },
        passkeySiteOf(pageBase()),
        originOf(request),
        note,
      );
      setSessionCookie(reply, added.token);
      return { passkey: show(added.passkey), recovery_codes: added.recoveryCodes };
    },
  }),
  route('PATCH /v1/session/passkeys/:id', {
    access: withoutProof(ownChanges, 'changes a name only'),
    operationId: 'renamePasskey',
    title: 'Rename a passkey',
    description: 'Changes the name of a passkey.',
    id: idOf('passkey'),
    body: nameBody,
    handler: async ({ session, id, body: { name }, audit }, { people, sql }) => {
      if (!(await people.passkeys.rename(sql, session.person.id, id, name))) throw notFound('passkey');
      audit({ after: { name } });
    },
  }),
  route('POST /v1/session/passkeys/:id/remove', {
    access: sendsNothing(provenByBody(ownChanges)),
    operationId: 'removePasskey',
    title: 'Remove a passkey',
    description:
      'Removes the passkey. All sessions end; the current one continues with a new cookie. Returns `not-now` for the last second factor while one is required.',
    refusals: ['wrong-password', 'proof-needed', 'not-now'],
    id: idOf('passkey'),
    body: passwordBody,
    isBodyOptional: true,
    handler: async ({ session, id, body, note, request, reply }, { people: { credentials } }) => {
      const token = await credentials.removePasskey(session, id, body.password, originOf(request), note);
      setSessionCookie(reply, found(token, 'passkey'));
    },
  }),
];
