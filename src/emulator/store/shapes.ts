import { z } from "zod";
import { LAST_MOMENT } from "./clock";

export const text = z.string();
export const texts = z.array(text);
export const flag = z.boolean();
export const whole = z.int();
/** A moment of the emulated clock in milliseconds since 1970. */
export const moment = z.number().min(0).max(LAST_MOMENT);
