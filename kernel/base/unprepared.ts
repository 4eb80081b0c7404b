export const UNPREPARED = '/* unprepared */'

/**
 * Marks the text of a statement that depends on a request. It isn't prepared, because the number of prepared statements
 * is limited.
 */
export const unprepared = (text: string): string => `${UNPREPARED} ${text}`
