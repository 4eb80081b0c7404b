/** What the comparison of rules and scarce things adds to the courses: the same on every side. */

/** Tasks of projects of clients, whom one person looks after. That person reads the tasks. */
export const PROJECTS = 20
export const TASKS = 1000
/** Courses with places, each of which more people can take than a measurement lasts. */
export const CLASSES = 1000
export const PLACES = 1000

/** Rows of a collection whose rule has alternatives, and those of them that the member may read. */
export const MEMOS = 100_000
export const READABLE = 100

export interface School {
  /** URL of a task that its reader may read by a rule of three references. */
  readonly task: string
  /** URL of a list of courses of one level or of one category, newest first. */
  readonly either: string
  readonly seats: {
    readonly url: string
    /** Values of a seat in each of the classes. */
    readonly rows: readonly object[]
    /** Values of a seat in a class with one place. */
    readonly last: object
  }
  /** URLs of lists of 20 of 100 rows among 100,000, by a rule with one condition and by one with two. Larder alone. */
  readonly memos?: { readonly one: string; readonly either: string }
  readonly headers: Readonly<Record<string, string>>
}
