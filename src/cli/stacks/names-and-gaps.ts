/** A stack whose state was read. */
export interface StackName {
  /** As the backend names it: `organization/project/stack`, or `stack`. */
  readonly name: string;
  readonly project: string;
  /** The folder of the project, relative to the working directory. */
  readonly directory: string;
}

/** A place in a program. */
export interface SourcePosition {
  /** The path of the file, relative to the working directory. */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** Something that could not be looked at, so that the findings may be incomplete. */
export interface Gap {
  /** The missing part: `the nodes of https://api.example/v4`. */
  readonly what: string;
  /** Why, and what to do: `the token lacks the scope nodes:read_only`. */
  readonly reason: string;
}
