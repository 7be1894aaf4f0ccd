import { spawnSync } from 'node:child_process';

/** The seed of the run (test/run.ts): a data folder with an empty database of the newest schema. */
const ofRun = process.env.CARILLON_TEST_SEED;

/**
 * Copies the seed into a data folder, which spares the first start there the making of a cluster and of a schema, most of
 * what it costs. Does nothing without a seed.
 */
export function copySeed(folder: string, seed = ofRun): void {
  // With its owner, who is not root: `cp` of Node does not keep it.
  if (seed === undefined) return;
  const { status } = spawnSync('cp', ['-a', `${seed}/.`, folder], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`the seed in ${seed} cannot be copied: cp ended with ${status}`);
}
