import { PUBLIC_IMAGES } from "../operations/catalogue";
import { type Store } from "../kind/kind";
import { type ImageEntity, type ImageFields, image } from "../kinds/image";

/** A private image by its id in the API, `private/<n>`. */
export function findPrivateImage(store: Store, id: string): ImageEntity | undefined {
  const serial = /^private\/(\d{1,15})$/.exec(id)?.[1];
  return serial === undefined ? undefined : store.table(image).get(Number(serial));
}

/** A public or private image by its id in the API. */
export const findImage = (store: Store, id: string): ImageFields | undefined =>
  PUBLIC_IMAGES.find((known) => known.id === id) ?? findPrivateImage(store, id)?.fields;
