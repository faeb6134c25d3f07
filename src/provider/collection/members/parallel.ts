import { MAX_CONCURRENT } from "../../../api/limiter";
import { type Session } from "../../process/session";

/** How many members are worked on at a time: twice as many as requests run, so that the next is ready when one is answered. */
export const membersAtOnce = ({ configuration }: Session): number =>
  2 * (configuration.maxConcurrency ?? MAX_CONCURRENT);

/**
 * Does a piece of work for each item, so many at a time and in their order. The first failure of the work itself ends it all: what may fail
 * is caught inside. Nothing new is begun once `isOver` says so.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  atMost: number,
  work: (item: Item) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    while (!isOver()) {
      const next = queue.next();
      if (next.done === true) return;
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: atMost }, worker));
}
