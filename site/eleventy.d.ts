/** Types of the parts of Eleventy, and of its markdown-it, that are used here; Eleventy has no types. */
declare module '@11ty/eleventy' {
  export interface UserConfig {
    setTemplateFormats(formats: string[]): void;
    addGlobalData(name: string, value: unknown): void;
    addTemplate(path: string, content: string): void;
    addTransform(
      name: string,
      transform: (this: { page: { inputPath: string } }, content: string) => string,
    ): void;
    amendLibrary(name: 'md', amend: (md: MarkdownIt) => void): void;
    on(event: 'eleventy.after', listener: (written: { directories: { output: string } }) => void): void;
  }

  export interface Token {
    type: string;
    tag: string;
    content: string;
    info: string;
    children: Token[] | null;
    attrGet(name: string): string | null;
    attrSet(name: string, value: string): void;
  }

  type Rule = (tokens: Token[], index: number) => string;

  export interface MarkdownIt {
    readonly core: {
      readonly ruler: {
        push(name: string, rule: (state: { tokens: Token[]; env: Environment }) => void): void;
      };
    };
    readonly renderer: { readonly rules: Record<string, Rule> };
  }

  interface Environment {
    readonly page: { readonly inputPath: string };
  }

  interface Options {
    readonly configPath: string;
    readonly pathPrefix: string;
    readonly quietMode: boolean;
  }

  export default class Eleventy {
    constructor(input: string, output: string, options: Options);
    init(): Promise<void>;
    write(): Promise<unknown>;
    watch(): Promise<void>;
    serve(port: number): Promise<void>;
  }
}
