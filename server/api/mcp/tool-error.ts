/** An error as a tool returns it: `error` of /v1, or one of the MCP server itself. */
export interface ToolProblem {
  readonly code: string;
  /** The problem in words, with the field. */
  readonly message: string;
  /** The affected argument. */
  readonly field?: string;
  readonly [detail: string]: unknown;
}

/** A call of a tool that was refused or failed. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly problem: ToolProblem;

  constructor(problem: ToolProblem) {
    super(problem.message);
    this.problem = problem;
  }
}
