/** JSON in which characters that control a terminal or are invisible are escaped. Parsed, it has them. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[^\P{C}\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (character) =>
      [...Array(character.length).keys()]
        .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
        .join(""),
  );
