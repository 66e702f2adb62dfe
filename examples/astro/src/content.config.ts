import { stetLoader } from "@stet/client/astro";
import { defineCollection } from "astro:content";
import { stet } from "./lib/stet.ts";

/** Astro keeps the posts between builds: a build in which nothing changed asks for them once. */
export const collections = { posts: defineCollection({ loader: stetLoader(stet) }) };
