/** What the tests use of the package @20minutes/s3rver, which has no types of its own. */
declare module '@20minutes/s3rver' {
  /** An S3-compatible server; its only key is S3RVER with the secret S3RVER. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { readonly name: string }[];
    });
    run(): Promise<{ readonly address: string; readonly port: number }>;
    close(): Promise<void>;
  }
}
