/** Counting the rows of lists, which have no total. */
import type { Query } from './paths.ts'

/** Most rows that are counted. */
export const MAX_COUNT = 50

export const countQuery = (filters: Query = {}): Query => ({ ...filters, limit: MAX_COUNT })
