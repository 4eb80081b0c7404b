/** IDs of records, such as `book_01jd3s8gq2w5v7xnhk4t9rm6ce`. Pure. */
const ID = '[a-z0-9_]+_[0-9a-z]{26}'
const WHOLE = new RegExp(`^${ID}$`)
const WITHIN = new RegExp(`\\b(${ID})\\b`)

export const isIdentifier = (value: unknown): value is string => typeof value === 'string' && WHOLE.test(value)

/** `overlaps with row visit_01…` → `overlaps with row `, the ID, ``: every second part is an ID. */
export const splitAtIds = (text: string): readonly string[] => text.split(WITHIN)
