/** What a chart shows, without the library that draws it. */

export interface ChartPoint {
  /** Unique in the chart. */
  readonly key: string
  /** Names the point: `November 23, 2026`. */
  readonly title: string
  /** The same at the axis: `Nov 23`. */
  readonly tick: string
  /** Null if nothing was measured. */
  readonly value: number | null
  /** The value of the period before. */
  readonly before?: number | null | undefined
}
export interface ChartProps {
  /** Names the chart. */
  readonly label: string
  readonly points: readonly ChartPoint[]
  /** Names the values, and those of the period before. */
  readonly valueTitle: string
  readonly beforeTitle?: string | undefined
  /** Title of the column of times. */
  readonly timeTitle: string
  readonly kind?: 'line' | 'bar' | undefined
  readonly format: (value: number) => string
  /** ISO 4217, if the values are amounts in minor units. */
  readonly currency?: string | undefined
  /** Whether the values are below the chart as a table; true by default. */
  readonly hasTable?: boolean | undefined
  /** Without axes and table, beside a number. The label says what it shows. */
  readonly isSmall?: boolean | undefined
}

/** Room for a time at the axis, in pixels. */
const TICK_WIDTH = 84

/** As many as there is room for, the last one among them. @param width of the axis, in pixels. */
export function tickKeys(points: readonly Pick<ChartPoint, 'key'>[], width: number): string[] {
  const count = Math.max(1, Math.floor(width / TICK_WIDTH))
  const step = Math.max(1, Math.ceil(points.length / count))
  return points.filter((_, at) => (points.length - 1 - at) % step === 0).map(({ key }) => key)
}
