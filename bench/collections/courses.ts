/** The rows of the comparison: the same ones on every side. */

export const LEVELS = ['beginner', 'intermediate', 'advanced', 'expert'] as const
export const CATEGORIES = Array.from({ length: 10 }, (_, index) => `Category ${index}`)
const COURSES = 1000
/** Milliseconds between the starts of two courses. */
const INTERVAL_MS = 3_600_000
const FIRST_START = Date.UTC(2027, 0, 1)

export interface Course {
  readonly title: string
  readonly summary: string
  readonly level: (typeof LEVELS)[number]
  /** In cents. */
  readonly price: number
  /** RFC 3339. */
  readonly startsAt: string
  readonly published: boolean
  /** Index in CATEGORIES. */
  readonly category: number
}

export const courses: readonly Course[] = Array.from({ length: COURSES }, (_, index) => courseAt(index))

/** The row that the comparison creates again and again. It doesn't match the filter of the list. */
export const newCourse: Course = { ...courseAt(COURSES), level: 'expert' }

function courseAt(index: number): Course {
  return {
    title: `Course ${index}`,
    summary: `What you learn in course ${index}. `.repeat(6),
    level: LEVELS[index % LEVELS.length] as Course['level'],
    price: 1000 + index,
    startsAt: new Date(FIRST_START + index * INTERVAL_MS).toISOString(),
    published: index % 3 > 0,
    category: index % CATEGORIES.length,
  }
}

/** The filter of the list. A quarter of the courses match. */
export const LISTED_LEVEL = 'beginner'
export const PAGE_SIZE = 20
