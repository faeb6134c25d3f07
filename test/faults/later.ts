/** A promise, and the function that fulfils it. */
export interface Later {
  readonly promise: Promise<void>;
  readonly come: () => void;
}

export function later(): Later {
  let come = () => {};
  const promise = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { promise, come };
}
