export type Environment = Readonly<Record<string, string>>;

/** What processes that tests start need of the run, and nothing of the settings of who started it. */
export const environmentOfRun: Environment = Object.fromEntries(
  ['PATH', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value]] : [];
  }),
);
