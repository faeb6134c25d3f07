import { BASE } from "./base";
import { CONTENT } from "./content";
import { FRAME } from "./frame";
import { NARROW } from "./narrow";
import { PARTS } from "./parts";

/** The style of the page, for light and dark and from a width of 320 pixels on. */
export const STYLE = [BASE, FRAME, CONTENT, PARTS, NARROW].join("");
