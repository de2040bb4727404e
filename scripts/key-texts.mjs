/** Meanings of keys whose schema has no description, and defaults that JSON Schema cannot carry, by table and key. */
export const keyTexts = {}
