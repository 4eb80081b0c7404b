/** Public images in the text of a page: `/media/<id>/<variant>`. */

const REFERENCE = /\/media\/(med_[0-7][0-9a-hjkmnp-tv-z]{25})\//g

/** Ids of the media files that the rendered text uses. */
export const mediaIdsIn = (html: string): string[] => [
  ...new Set(Array.from(html.matchAll(REFERENCE), ([, id]) => id as string)),
]
