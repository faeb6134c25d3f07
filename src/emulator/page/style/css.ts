/** Returns the text as it is. Editors and formatters recognize the language by the name. */
export const css = String.raw;
