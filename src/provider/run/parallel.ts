import { MAX_CONCURRENT } from "../../api/throttle";
import { type CurrentRun } from "./current-run";

/** How many objects are worked on at a time: twice as many as requests run at a time, so that the next request is ready when one is answered. */
export const objectsAtOnce = ({ configuration }: CurrentRun): number =>
  2 * (configuration.maxConcurrency ?? MAX_CONCURRENT);

/** Works on each item in their order, at most so many at a time. No item is begun after an error, which it throws at the end, or after `isOver` says true. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  atMost: number,
  work: (item: Item) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const worker = async () => {
    while (errors.length === 0 && !isOver()) {
      const next = queue.next();
      if (next.done === true) return;
      await work(next.value).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: atMost }, worker));
  if (errors.length > 0) throw errors[0];
}
