import { isNotFound } from "../api/errors";
import { type Description, type Ref } from "./define";
import { type Session } from "./session";

/** Deletes an object; one that is gone already is just as well. */
export async function removeOnce(session: Session, description: Description, ref: Ref): Promise<void> {
  try {
    await session.writing(async () => description.delete?.(session.client, ref));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
