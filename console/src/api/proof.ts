/*
 * Proofs of identity (docs/sign-in.md): a request that the service refuses with `proof-needed` is repeated after the person
 * has proved who they are. The client asks here, so that no page has to know which requests need a proof.
 */

/** Asks the person for a proof of identity; false when they cancel. */
type AskForProof = () => Promise<boolean>;

let ask: AskForProof | undefined;
let asking: Promise<boolean> | undefined;

/** Sets the dialog that asks. Returns the function that removes it. */
export function onProofNeeded(dialog: AskForProof): () => void {
  ask = dialog;
  return () => {
    if (ask === dialog) ask = undefined;
  };
}

/** Asks for a proof, once for all requests that wait for one. Returns whether the person gave it. */
export async function askForProof(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined;
  });
  return asking;
}
