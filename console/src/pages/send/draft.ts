import { type RefObject, useEffect, useRef, useState } from 'react';
import { byId, client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import type { Answer } from '../../api/operations.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useDialogs } from '../../components/dialogs.tsx';
import { useLeaving } from '../../components/leaving.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

/** After the last key. */
const PAUSE_MS = 800;
/** After a save that failed. */
const AGAIN_MS = 5_000;
const MAX_TITLE = 100;

type StoredDraft = Answer<'/v1/drafts/{id}'>;

/** Initial state of a composer. */
export interface Start {
  /** A draft that is resumed. */
  readonly draft?: StoredDraft;
  /** The body of a request that was sent before. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** Called with the id under which the draft is saved from now on; undefined when it is no longer saved. */
  readonly onSaved: (id: string | undefined) => void;
  /** Opens the draft as others have saved it. */
  readonly onReload: () => void;
}

type State = 'new' | 'saving' | 'saved' | 'failed' | 'changed';

/** State of a draft for display, with its actions. */
export interface DraftState {
  readonly state: State;
  /** When it was saved last (ISO 8601); null: not yet. */
  readonly savedAt: string | null;
  readonly error: unknown;
  readonly saveAsNew: () => void;
  readonly reload: () => void;
  readonly remove: () => Promise<void>;
}

/** The values that a composer knows, of what was stored; those of an earlier version may be missing or have other types. */
function valuesLike<Values extends object>(empty: Values, stored: object): Values {
  const known = Object.entries(empty).map(([name, usual]) => {
    const value = (stored as Record<string, unknown>)[name];
    const isLike = value !== undefined && (usual === null || value === null || typeof value === typeof usual);
    return [name, isLike ? value : usual];
  });
  return Object.fromEntries(known) as Values;
}

/**
 * Values of a composer, saved while the person types and shared in the account. Asks before the person leaves with unsaved
 * values.
 *
 * @param read returns the values of a request that was sent before
 * @param titleOf returns the title of the draft
 */
export function useDraft<Values extends object>(
  channel: StoredDraft['channel'],
  { draft, request, onSaved, onReload }: Start,
  empty: Values,
  read: (request: never) => Partial<Values>,
  titleOf: (values: Values) => string,
) {
  const [values, setValues] = useState<Values>(() => {
    if (draft) return valuesLike(empty, draft.content);
    return request ? { ...empty, ...read(request as never) } : empty;
  });
  const [shown, setShown] = useState<Pick<DraftState, 'state' | 'savedAt' | 'error'>>({
    state: draft ? 'saved' : 'new',
    savedAt: draft?.updated_at ?? null,
    error: null,
  });
  const refresh = useRefresh();
  const dialogs = useDialogs();
  const { send: t } = useTexts();
  const text = JSON.stringify(values);
  const [saver] = useState(() => new Saver(channel, draft, text));
  saver.wanted = { text, title: titleOf(values).trim().slice(0, MAX_TITLE) };
  const mounted = useRef(true);

  async function save(): Promise<boolean> {
    if (saver.isSaved) return true;
    if (mounted.current) setShown((before) => ({ ...before, state: 'saving' }));
    const before = saver.id;
    const outcome = await saver.save();
    if (mounted.current) {
      setShown((last) => ({ ...last, ...outcome }));
      if (saver.id !== before) onSaved(saver.id);
    }
    void refresh('/v1/drafts');
    return outcome.state === 'saved';
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: when the values change, and again after a save that failed
  useEffect(() => {
    if (saver.isSaved || shown.state === 'changed') return;
    const timer = setTimeout(() => void save(), shown.state === 'failed' ? AGAIN_MS : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, shown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the composer goes
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      if (shown.state !== 'changed') void save();
    };
  }, []);
  const mayLeave = async () =>
    (await save()) ||
    new Promise<boolean>((resolve) =>
      dialogs.ask({
        title: t.draft.leaveTitle,
        text: t.draft.leaveText,
        action: t.draft.leave,
        keep: t.draft.stay,
        run: async () => {
          saver.end();
          resolve(true);
        },
        onClose: () => resolve(false),
      }),
    );
  useLeaving(() => !saver.isSaved, mayLeave);

  /** Deletes the draft, and saves nothing more. */
  async function remove() {
    await saver.remove();
    await refresh('/v1/drafts');
  }
  const state: DraftState = {
    ...shown,
    saveAsNew: () => {
      saver.forget();
      void save();
    },
    reload: () => {
      saver.end();
      onReload();
    },
    remove,
  };
  return {
    values,
    change: (changes: Partial<Values>) => setValues((before) => ({ ...before, ...changes })),
    draft: state,
    mayLeave: async () => saver.isSaved || mayLeave(),
  };
}

/** Saves the versions of one draft one after the other. */
class Saver {
  readonly #channel: StoredDraft['channel'];
  #id: string | undefined;
  #version = 0;
  #saved: string;
  #ended = false;
  #running: Promise<unknown> = Promise.resolve();
  /** State to save. */
  wanted = { text: '', title: '' };

  constructor(channel: StoredDraft['channel'], draft: StoredDraft | undefined, text: string) {
    this.#channel = channel;
    this.#id = draft?.id;
    this.#version = draft?.version ?? 0;
    this.#saved = text;
  }

  get id(): string | undefined {
    return this.#id;
  }

  /** Whether nothing would be lost. */
  get isSaved(): boolean {
    return this.#ended || this.wanted.text === this.#saved;
  }

  /** Saves what is wanted, after what is being saved; never rejects. */
  save(): Promise<Partial<DraftState> & Pick<DraftState, 'state'>> {
    const saving = this.#running.then(() => this.#save());
    this.#running = saving;
    return saving;
  }

  async #save(): Promise<Partial<DraftState> & Pick<DraftState, 'state'>> {
    const { text, title } = this.wanted;
    if (this.isSaved) return { state: 'saved', error: null };
    try {
      const { id, version, updated_at } = await this.#store({ title, content: JSON.parse(text) as never });
      this.#id = id;
      this.#version = version;
      this.#saved = text;
      return { state: 'saved', savedAt: updated_at, error: null };
    } catch (error) {
      const isChanged = error instanceof CarillonError && error.reason === 'changed-meanwhile';
      return { state: isChanged ? 'changed' : 'failed', error };
    }
  }

  async #store(body: { title: string; content: Record<string, never> }) {
    const create = () => client.POST('/v1/drafts', { body: { channel: this.#channel, ...body } });
    if (this.#id === undefined) return create();
    try {
      const version = this.#version;
      return await client.PUT('/v1/drafts/{id}', { ...byId(this.#id), body: { version, ...body } });
    } catch (error) {
      // Another person deleted the draft; saving it creates a new one.
      if (error instanceof CarillonError && error.httpStatus === 404) return create();
      throw error;
    }
  }

  /** Saves as a new draft from now on. */
  forget(): void {
    this.#id = undefined;
    this.#saved = '';
  }

  /** Saves nothing more. */
  end(): void {
    this.#ended = true;
  }

  async remove(): Promise<void> {
    this.end();
    await this.#running;
    if (this.#id === undefined) return;
    await client.DELETE('/v1/drafts/{id}', byId(this.#id)).catch((error: unknown) => {
      if (!(error instanceof CarillonError && error.httpStatus === 404)) throw error;
    });
  }
}

/** Function of the composer that decides whether the person may switch to another channel. */
export type Leaving = RefObject<(() => Promise<boolean>) | undefined>;
