/** Patterns of LIKE and ILIKE that match a text literally. */
import { folded } from '../base/index.ts'

/** Escapes wildcards. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** A pattern for texts that contain this one, as `larder_folded` returns them. */
export const foldedContaining = (text: string): string => likeContaining(folded(text))

/** A pattern for texts that contain this one. */
export const likeContaining = (text: string): string => `%${escapeLike(text)}%`
