/** `{name}` placeholders in sentences, checked by the compiler. */

/** The names of the placeholders of a sentence. */
export type Placeholders<M extends string> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
export type PlaceholderValues<M extends string> = { [Name in Placeholders<M>]: string | number }

/** Braces around other names stay: they belong to the text. */
export const fillPlaceholders = (sentence: string, values: Readonly<Record<string, unknown>>): string =>
  sentence.replace(/\{(\w+)\}/g, (braces, name) => (Object.hasOwn(values, name) ? String(values[name]) : braces))
