import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Class names, the later winning over the earlier where they speak of the same thing. */
export const cn = (...classes: ClassValue[]): string => twMerge(clsx(classes));
