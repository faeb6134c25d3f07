/** A further effect of a change of an input, for reports of previews. */
export interface Effect {
  readonly line: string;
  /** The value whose setting has this effect. If omitted, every change has it. */
  readonly to?: unknown;
}

/** An effect of a change in place that users should know, and the inputs that cause it. */
export interface Warning<Path extends string = string> {
  readonly about: readonly Path[];
  readonly line: string;
  /** Whether the change loses data. */
  readonly loses?: true;
}

/** The beginnings of the lines in which a preview says what only the account, or a secret, shows. Reports know them by these. */
export const LOSES = "loses data: ";
export const INTERRUPTS = "interrupts a service: ";
export const MAY_REPLACE = "may be replaced: ";
export const DELETES = "deletes";
export const MAY_DELETE = "may delete";

/** The text in a preview about a replacement whose first half has happened. Reports know it by this. */
export const MADE_AGAIN = "creates it again: a replacement that was not finished has ";

/** The interruption by a replacement that deletes the old object before it creates the new one. */
export const DELETED_FIRST = "the old object is deleted before the new one exists";

/** The text in a preview about a data function that `up` will call after a change. Reports know it by this. */
export const READS_CHANGED = "reads what this run changes";

/** How a preview numbers what a change of a collection does with its members. Reports know them by these. */
export const PLANNED = {
  add: "to create",
  change: "to update",
  remove: "to delete",
  leave: "to leave to another resource",
} as const;

/** The text in a preview about members that another set of the program no longer declares. */
export const givenUpBy = (...sets: string[]): string =>
  `which ${sets.join(" and ")} ${sets.length === 1 ? "gives" : "give"} up`;

/** The text in a preview about a set that gives up members before the engine comes to the others. */
export const EXCEPT_TAKEN = "(except those that another set of the program takes over)";

/** The text in a preview about a set that may import some of the members before. */
export const exceptImportedBy = (set: string): string => `(except those that ${set} imports)`;
