import { isNotFound } from "../../api/errors";

/** The answer of a read. Undefined if the service says that there is no such object. */
export async function unlessMissing<Reply>(
  read: () => Promise<Reply | undefined>,
): Promise<Reply | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
