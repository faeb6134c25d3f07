import { PUBLIC_IMAGES } from "../catalogue";
import { type Store } from "../kind";
import { type ImageEntity, type ImageFields, image } from "../kinds/image";

/** A private image by its id on the wire, `private/<n>`. */
export function findPrivateImage(store: Store, id: string): ImageEntity | undefined {
  const serial = /^private\/(\d{1,15})$/.exec(id)?.[1];
  return serial === undefined ? undefined : store.table(image).get(Number(serial));
}

/** An image that a node can name: public or private. */
export function findImage(store: Store, id: string): ImageFields | undefined {
  return PUBLIC_IMAGES.find((known) => known.id === id) ?? findPrivateImage(store, id)?.fields;
}
