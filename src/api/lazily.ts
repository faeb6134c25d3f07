/** Creates an object whose values are made on first access, and kept. */
export function lazily<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Readonly<Record<Key, Value>> {
  const object = {};
  for (const key of keys) {
    const get = () => {
      const value = make(key);
      Object.defineProperty(object, key, { enumerable: true, value });
      return value;
    };
    Object.defineProperty(object, key, { enumerable: true, configurable: true, get });
  }
  return object as Readonly<Record<Key, Value>>;
}
