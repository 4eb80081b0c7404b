/** How wide the columns of a table are. Pure. */

/** What the values of a column are; it decides the width and the alignment. */
export type ColumnKind = 'text' | 'link' | 'number' | 'time' | 'state' | 'boolean' | 'control'

interface Sized {
  readonly id?: string
  readonly title: string
  readonly kind?: ColumnKind | undefined
  /** Pixels that an input needs, with the padding of the cell. Those of the first column replace the width of names. */
  readonly inputWidth?: number | undefined
  /** Set if its header sorts: beside the title, there is a place for the arrow. */
  readonly sort?: unknown
}

/** Pixels, with the padding of the cell. The first column names the row. */
const NAME_WIDTH = 180
const WIDTHS: Readonly<Record<ColumnKind, number>> = {
  text: 112,
  link: 112,
  number: 104,
  // A date such as "Nov 30, 2026" in full.
  time: 118,
  state: 112,
  boolean: 76,
  control: 76,
}
/** A longer title is cut. */
const MAX_TITLE_WIDTH = 150
const CHARACTER_WIDTH = 7.2
const TITLE_PADDING = 28
const ARROW_WIDTH = 20

/** Shares of the width that is left: texts are read in full where there is room. */
const NAME_SHARE = 6
const SHARES: Partial<Readonly<Record<ColumnKind, number>>> = { text: 4, link: 4, state: 1, number: 1 }

const smallest = ({ title, kind = 'text', inputWidth = 0, sort }: Sized, index: number): number =>
  Math.max(
    inputWidth || (index === 0 ? NAME_WIDTH : WIDTHS[kind]),
    Math.min(MAX_TITLE_WIDTH, Math.ceil(title.length * CHARACTER_WIDTH) + TITLE_PADDING) + (sort ? ARROW_WIDTH : 0),
  )

const shareOf = ({ kind = 'text' }: Sized, index: number): number => (index === 0 ? NAME_SHARE : (SHARES[kind] ?? 0))

/** The widths in pixels, at least those that the values need. @param room in pixels. */
export function widthsOf(columns: readonly Sized[], room: number): readonly number[] {
  const widths = columns.map(smallest)
  const shares = columns.map(shareOf)
  const left = Math.max(0, room - sum(widths))
  return widths.map((width, index) => Math.floor(width + (left * (shares[index] ?? 0)) / sum(shares)))
}

/**
 * The columns that fit into the room. Texts leave first, from the end, then names of other records and numbers; the first
 * column, states and times stay longest.
 */
export function fitting<C extends Sized>(columns: readonly C[], room: number): readonly C[] {
  const shown = columns.map((column, index) => ({ column, width: smallest(column, index) }))
  const removable = (kinds: readonly ColumnKind[]) =>
    shown.findLastIndex(({ column: { kind = 'text' } }, index) => index > 0 && kinds.includes(kind))
  while (shown.length > 1 && sum(shown.map(({ width }) => width)) > room) {
    const last = LEAVING.map(removable).find(index => index !== -1) ?? shown.length - 1
    shown.splice(last, 1)
  }
  return shown.map(({ column }) => column)
}
/** The kinds that leave one after the other. */
const LEAVING: readonly (readonly ColumnKind[])[] = [['text'], ['link', 'number', 'boolean', 'control']]

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** The places of a card, which shows a row on a narrow screen. */
export interface Card<C> {
  readonly title: C
  readonly state: C | undefined
  readonly fact: C | undefined
  readonly time: C | undefined
}

const STATE = /^(status|state)$/

/** Kinds that say something without the title of their column. */
const FACTS: readonly ColumnKind[] = ['text', 'link', 'number', 'state']

/** The first column, the state, the last time, and the first of the others. */
export function cardOf<C extends Sized>([title, ...rest]: readonly C[]): Card<C> | undefined {
  if (title === undefined) return undefined
  const states = rest.filter(({ kind }) => kind === 'state')
  const state = states.find(({ id = '' }) => STATE.test(id)) ?? states[0]
  const time = rest.findLast(({ kind }) => kind === 'time')
  const others = rest.filter(column => column !== state && column !== time)
  const fact = others.find(({ kind = 'text' }) => FACTS.includes(kind)) ?? others[0]
  return { title, state, fact, time }
}
