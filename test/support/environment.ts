export type Environment = Readonly<Record<string, string>>;

/** Environment variables that child processes of tests need, without any setting of the developer's shell. */
export const environmentOfRun: Environment = Object.fromEntries(
  ['PATH', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value]] : [];
  }),
);
