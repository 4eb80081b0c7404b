/** What a chart shows. Types only. */

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
