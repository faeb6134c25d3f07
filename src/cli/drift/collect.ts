import { type Context } from "../context";
import { CliError } from "../errors";
import { type Progress } from "../progress";
import { type Drift } from "./findings";

/** The stacks to compare with their accounts. */
export interface Selection {
  /** The folders of projects, or folders that contain projects. */
  readonly directories: readonly string[];
  /** The names of stacks. Without names, it is the selected stack of each project. */
  readonly stacks: readonly string[];
  /** Whether all stacks of the projects are compared. */
  readonly all: boolean;
}

/** Compares the objects of accounts with the states of stacks. */
export function collectDrift(_context: Context, _progress: Progress, selection: Selection): Promise<Drift> {
  return Promise.reject(new CliError(`cannot read the stacks in ${selection.directories.join(", ")}`));
}
