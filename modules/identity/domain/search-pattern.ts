/** A pattern for `ilike` that matches texts with these words anywhere. */
export const containing = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`
