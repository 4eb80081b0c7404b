/** Patterns of LIKE and ILIKE that match a text literally. */

/** Escapes wildcards. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** A pattern for texts that contain this one. */
export const likeContaining = (text: string): string => `%${escapeLike(text)}%`
